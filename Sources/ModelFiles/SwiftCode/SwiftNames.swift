/// Gives names from files to things in Swift code, each once.
struct SwiftNames {
  /// How the first letter is written.
  enum Style {
    /// As for properties: `rowOfOrder`.
    case lower
    /// As for types: `RowOfOrder`.
    case upper
    /// As the model has it.
    case asIs
  }

  private static let lengthLimit = 100

  private var taken: Set<String>
  private let ignoresCase: Bool

  /// Begins with names that are given already.
  ///
  /// - Parameter ignoresCase: true when no two names may differ in case only, as those of files.
  init(taken: Set<String> = [], ignoresCase: Bool = false) {
    self.ignoresCase = ignoresCase
    self.taken = ignoresCase ? Set(taken.map { $0.lowercased() }) : taken
  }

  /// A name for a text, with a suffix if it is a keyword or already used.
  ///
  /// A property may have a keyword as its name, in backticks, but not the name of a type that its neighbours use.
  mutating func name(for text: String, _ style: Style, suffix: String) -> String {
    var name = Self.identifier(text, style)
    let isReserved = style == .asIs ? SwiftWords.isNoProperty(name) : SwiftWords.isReserved(name)
    if isReserved || isTaken(name) { name += suffix }
    let stem = name
    var number = 2
    while isTaken(name) {
      name = "\(stem)\(number)"
      number += 1
    }
    taken.insert(ignoresCase ? name.lowercased() : name)
    return name
  }

  private func isTaken(_ name: String) -> Bool { taken.contains(ignoresCase ? name.lowercased() : name) }

  /// The text with `_` for characters that an identifier cannot contain.
  private static func identifier(_ text: String, _ style: Style) -> String {
    var letters = text.unicodeScalars.prefix(lengthLimit).map { isAllowed($0) ? Character($0) : "_" }
    if letters.first.map({ $0.isASCII && $0.isNumber }) ?? true { letters.insert("_", at: 0) }
    switch style {
    case .asIs: return String(letters)
    case .upper: return (letters.first?.uppercased() ?? "") + String(letters.dropFirst())
    case .lower:
      // An acronym at the beginning is one word: URLItem is urlItem.
      let capitals = letters.prefix { $0.isUppercase }.count
      let isFollowed = capitals < letters.count && letters[capitals].isLowercase
      let lowered = capitals > 1 && isFollowed ? capitals - 1 : capitals
      return String(letters.prefix(lowered)).lowercased() + String(letters.dropFirst(lowered))
    }
  }

  /// True for letters whose place in identifiers is beyond doubt, for digits and `_`.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    case "\u{C0}"..."\u{2FF}", "\u{370}"..."\u{52F}", "\u{3041}"..."\u{3096}", "\u{30A1}"..."\u{30FA}",
      "\u{4E00}"..."\u{9FA5}", "\u{AC00}"..."\u{D7A3}":
      scalar.properties.isAlphabetic
    default: false
    }
  }
}

/// The words that Swift keeps for itself.
enum SwiftWords {
  private static let keywords: Set<String> = [
    "_", "any", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "each", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
    "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "package",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "some", "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    "Any", "Protocol", "Self", "Type",
  ]

  /// Types of the standard library and Foundation that an entity must not hide.
  private static let types: Set<String> = [
    "Array", "Bool", "Character", "Codable", "Collection", "Data", "Date", "Decimal", "Dictionary", "Double",
    "Equatable", "Error", "Float", "Foundation", "Hashable", "Identifiable", "Int", "Int16", "Int32", "Int64", "Never",
    "ObjectID", "Optional", "Range", "Result", "Sendable", "Sequence", "Set", "String", "Swift", "Task", "URL", "UUID",
    "Void",
  ]

  /// The names in the code of a model: a type that contains one would hide them from its own properties.
  static let building: Set<String> = [
    "Attribute", "AttributeDescription", "AttributeValidation", "AttributeValue", "CodeGeneration", "CompoundIndex",
    "Composite", "Configuration", "DecimalConstant", "Derivation", "Entity", "EntityContents", "FetchIndex",
    "FetchRequestTemplate", "FetchedProperty", "FetchedPropertyDescription", "ManagedObjectModel", "ModelContents",
    "ModelKit", "Relationship", "RelationshipDescription", "UniquenessConstraint",
  ]

  /// True for a word that no declaration should have as its name.
  static func isReserved(_ name: String) -> Bool { keywords.contains(name) || types.contains(name) }

  /// True for what no property can be called: a type that its neighbours name, or a word that means something of its own
  /// after a point, even in backticks.
  static func isNoProperty(_ name: String) -> Bool {
    types.contains(name) || ["self", "Self", "Type", "Protocol", "init", "_"].contains(name)
  }

  /// A property's name in code, in backticks if it is a keyword.
  static func property(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }
}
