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
  /// - Parameters:
  ///   - taken: those names.
  ///   - ignoresCase: true when no two names may differ in case only, as those of files.
  init(taken: Set<String> = [], ignoresCase: Bool = false) {
    self.ignoresCase = ignoresCase
    self.taken = ignoresCase ? Set(taken.map { $0.lowercased() }) : taken
  }

  /// A name for something that is called a text, with a suffix where it is a word of the language or was given before.
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

  /// The text with what no identifier may hold written as `_`.
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
