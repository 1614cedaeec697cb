/// The words that Swift keeps for itself.
enum SwiftWords {
  /// The keywords of the language.
  private static let keywords: Set<String> = [
    "_", "any", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "each", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
    "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "package",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "some", "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    "Any", "Protocol", "Self", "Type",
  ]

  /// Types of the standard library and Foundation that generated code names, or that nobody wants hidden by an entity.
  private static let types: Set<String> = [
    "Array", "Bool", "Character", "Codable", "Collection", "Data", "Date", "Decimal", "Dictionary", "Double",
    "Equatable", "Error", "Float", "Foundation", "Hashable", "Identifiable", "Int", "Int16", "Int32", "Int64", "Never",
    "ObjectID", "Optional", "Range", "Result", "Sendable", "Sequence", "Set", "String", "Swift", "Task", "URL", "UUID",
    "Void",
  ]

  /// What the code of a model names: a type that holds one would hide them from its own properties.
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

  /// A property's name as code writes it, in backticks where it is a keyword.
  static func property(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }
}
