import ModelDescription

/// What attributes of an element mean, as far as a merge must know it.
enum AttributeGroups {
  /// Attributes that say one thing together: what one side decided about one of them may be wrong with what the other
  /// side decided about another.
  static func groups(of element: String) -> [[String]] {
    switch element {
    case "entity": [naming, inheritance]
    case "attribute": [naming, presence, type]
    case "relationship": [naming, count, destination]
    default: []
    }
  }

  /// The identifier says what was called otherwise before; with another name it says that of the wrong element.
  private static let naming = ["name", "renamingIdentifier", "elementID"]
  /// An abstract entity has no rows of its own: what it inherits and who can be saved go together.
  private static let inheritance = ["isAbstract", "parentEntity"]
  /// A required attribute without a default value refuses the migration of every row that has none.
  private static let presence = ["optional", "defaultValueString", "defaultDateTimeInterval"]
  /// Default, limits and derivation are read as values of the type.
  private static let type = [
    "attributeType", "defaultValueString", "defaultDateTimeInterval", "minValueString", "maxValueString",
    "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString", "derived", "derivationExpression",
    "composite", "valueTransformerName",
  ]
  /// To-many and the limits of the count are one number.
  private static let count = ["toMany", "minCount", "maxCount"]
  /// The inverse is a relationship of the destination.
  private static let destination = ["destinationEntity", "inverseName", "inverseEntity"]

  /// True for an attribute that says what an element was called before.
  static func isIdentifier(_ name: String) -> Bool { name == "renamingIdentifier" || name == "elementID" }

  /// What an attribute means in an element: an identifier that is the element's own name says nothing.
  static func meaning(of name: String, in node: MarkupNode) -> String? {
    isIdentifier(name)
      ? RenamingIdentifier.meaning(of: node[name], of: node["name"]) : meaning(node[name], of: name)
  }

  /// The value as far as it means something: nil for one that means the same as none.
  static func meaning(_ value: String?, of name: String) -> String? {
    guard let value else { return nil }
    if flags.contains(name) { return MarkupAttributes.flag(value) == true ? "YES" : nil }
    if counts.contains(name) { return value == "0" ? nil : value }
    return value.isEmpty && name != "defaultValueString" ? nil : value
  }

  /// True for what one side may say alone of an element that both added: it says nothing about data.
  static func isIncidental(_ name: String, of element: String) -> Bool { element == "model" || name == "syncable" }

  private static let flags: Set<String> = [
    "allowsCloudEncryption", "allowsExternalBinaryDataStorage", "derived", "indexed", "isAbstract",
    "isSyncIdentityProperty", "optional", "ordered", "preserveAfterDeletion", "spotlightIndexingEnabled",
    "storedInTruthFile", "toMany", "transient", "usesScalarValueType",
  ]
  private static let counts: Set<String> = ["fetchBatchSize", "fetchLimit", "minCount"]
}
