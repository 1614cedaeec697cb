public import Foundation
public import ModelDescription

/// Edits the text of a `contents` file in place; every other byte is kept.
public struct ContentsEditor: Sendable {
  /// A renaming identifier that was given to an element.
  public struct GivenIdentifier: Hashable, Sendable {
    /// The entity or property.
    public let element: ModelElement
    /// The identifier.
    public let identifier: String
  }

  private static let identifiable: Set<String> = ["attribute", "relationship"]

  /// Adds renaming identifiers to entities, attributes and relationships that have none, where Xcode writes them.
  ///
  /// An identifier that equals the element's name changes neither hashes nor pairs; it lets a later rename keep its
  /// data.
  ///
  /// - Parameters:
  ///   - data: the file's bytes.
  ///   - givesOwnNames: whether the other elements get their own name.
  /// - Returns: the bytes with the identifiers, and the added identifiers in the file's order.
  public static func addingIdentifiers(
    to data: Data, path: String, renames: [ModelElement: String] = [:], givesOwnNames: Bool = true
  ) throws(ModelFileError) -> (data: Data, given: [GivenIdentifier]) {
    _ = try ContentsReader.read(data, path: path)
    let source = try MarkupSource(data, path: path)
    var edits: [ByteEdit] = []
    var given: [GivenIdentifier] = []
    func add(to node: MarkupNode, _ element: ModelElement) {
      guard node.filled("elementID") == nil, node.filled("renamingIdentifier") == nil, let name = node.filled("name"),
        let identifier = renames[element] ?? (givesOwnNames ? name : nil)
      else { return }
      edits.append(edit(of: node, identifier: identifier))
      given.append(GivenIdentifier(element: element, identifier: identifier))
    }
    for entity in source.root.children where entity.name == "entity" {
      guard let entityName = entity.filled("name") else { continue }
      add(to: entity, .entity(entityName))
      for property in entity.children where identifiable.contains(property.name) {
        guard let name = property.filled("name") else { continue }
        add(to: property, .property(entity: entityName, name: name))
      }
    }
    return (Data(ByteEdit.apply(edits, to: source.bytes)), given)
  }

  /// Inserts ` elementID="…"` where Xcode writes it, or replaces an empty attribute.
  private static func edit(of node: MarkupNode, identifier: String) -> ByteEdit {
    let text = "elementID=\"\(XMLText.attribute(identifier))\""
    if let empty = node.attributes.first(where: { $0.name == "elementID" }) { return ByteEdit(empty.range, text.utf8) }
    let position = EditorOrder.position(of: "elementID", among: node.attributes.map(\.name), in: node.name)
    let offset =
      position > 0 ? node.attributes[position - 1].range.upperBound : node.head.lowerBound + 1 + node.name.utf8.count
    return ByteEdit(offset..<offset, " \(text)".utf8)
  }
}

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
  static func rank(ofAttribute name: String, in element: String) -> Int? { attributes[element]?.firstIndex(of: name) }

  /// The rank of an element among the children of its parent; 0 if the order does not matter.
  static func rank(ofChild name: String, in element: String) -> Int { children[element]?.firstIndex(of: name) ?? 0 }

  /// The position of an attribute among other attributes, as Xcode writes them.
  static func position(of name: String, among names: [String], in element: String) -> Int {
    guard let rank = rank(ofAttribute: name, in: element) else { return names.count }
    return names.firstIndex { (self.rank(ofAttribute: $0, in: element) ?? -1) > rank } ?? names.count
  }

  /// True for a kind of element that Xcode writes into a parent.
  static func knows(child name: String, in element: String) -> Bool { children[element]?.contains(name) ?? false }
}
