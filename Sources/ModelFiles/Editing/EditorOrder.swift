/// The order in which Xcode writes attributes and elements, as seen in the model files of many projects.
enum EditorOrder {
  private static let attributes: [String: [String]] = [
    "model": [
      "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
      "sourceLanguage", "usedWithCloudKit", "usedWithSwiftData", "userDefinedModelVersionIdentifier", "macOSVersion",
      "iOSVersion",
    ],
    "entity": [
      "name", "representedClassName", "isAbstract", "parentEntity", "renamingIdentifier", "elementID",
      "versionHashModifier", "syncable", "codeGenerationType",
    ],
    "attribute": [
      "name", "optional", "transient", "attributeType", "allowsExternalBinaryDataStorage", "allowsCloudEncryption",
      "composite", "derived", "valueTransformerName", "derivationExpression", "customClassName",
      "minDateTimeInterval", "minValueString", "maxDateTimeInterval", "maxValueString", "regularExpressionString",
      "defaultDateTimeInterval", "defaultValueString", "usesScalarValueType", "indexed", "preserveAfterDeletion",
      "spotlightIndexingEnabled", "storedInTruthFile", "renamingIdentifier", "elementID", "versionHashModifier",
      "isSyncIdentityProperty", "syncable",
    ],
    "relationship": [
      "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule", "ordered",
      "destinationEntity", "inverseName", "inverseEntity", "indexed", "renamingIdentifier", "elementID",
      "versionHashModifier", "syncable",
    ],
    "fetchedProperty": ["name", "optional", "syncable"],
    "fetchRequest": [
      "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "includeSubentities",
      "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults", "returnDistinctResults",
      "resultType",
    ],
    "fetchIndex": ["name", "partialIndexPredicate"],
    "fetchIndexElement": ["property", "type", "order"],
    "configuration": ["name", "usedWithCloudKit"],
    "entry": ["key", "value"],
    "element": ["name", "positionX", "positionY", "width", "height"],
  ]

  fileprivate static let children: [String: [String]] = [
    "model": ["entity", "composite", "fetchRequest", "configuration", "elements"],
    "entity": [
      "attribute", "relationship", "fetchedProperty", "fetchIndex", "compoundIndexes", "uniquenessConstraints",
      "userInfo",
    ],
  ]

  /// The place of an attribute among those of its element, nil for one that Xcode does not write.
  static func rank(ofAttribute name: String, in element: String) -> Int? {
    attributes[element]?.firstIndex(of: name)
  }

  /// The place of an element among those of its parent, 0 where the order does not matter.
  static func rank(ofChild name: String, in element: String) -> Int {
    children[element]?.firstIndex(of: name) ?? 0
  }

  /// Where an attribute that Xcode writes goes among others.
  static func position(of name: String, among names: [String], in element: String) -> Int {
    guard let rank = rank(ofAttribute: name, in: element) else { return names.count }
    return names.firstIndex { (self.rank(ofAttribute: $0, in: element) ?? -1) > rank } ?? names.count
  }
}

extension EditorOrder {
  /// True for a kind of element that Xcode writes into a parent.
  static func knows(child name: String, in element: String) -> Bool { children[element]?.contains(name) ?? false }
}
