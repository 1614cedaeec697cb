public import Foundation
public import ModelDescription
import ModelFiles
public import PersistentStores
import VersionHashing

/// Core Data's binary store, `NSBinaryStoreType`.
///
/// Source: nine stores that Core Data wrote. Core Data has not opened a store written here yet.
public struct BinaryStoreKind: PiecewiseStoreKind {
  /// `Binary`.
  public let name = "Binary"

  /// Creates the store type, which lacks settings.
  public init() {}

  /// True for bytes that begin with `CoreData`.
  ///
  /// The number behind the first word begins with a zero, and a log of Core Data's messages with a text.
  public func recognizes(_ start: Data) -> Bool {
    start.starts(with: BinaryStoreHeader.magic)
      && start.dropFirst(BinaryStoreHeader.magic.count).first.map { $0 < 0x09 } ?? true
  }

  /// Reads the metadata of a store.
  public func metadata(in bytes: Data, path: String) throws -> StoreMetadata {
    try BinaryStoreFile(bytes, path: path).numbered().metadata
  }

  /// Reads the metadata of a store, without the rest of the file.
  public func metadata(ofFile path: String) throws -> StoreMetadata {
    try BinaryStoreFile.metadata(ofFile: path)
  }

  /// Reads a store.
  public func document(in bytes: Data, of model: EntityHierarchy, path: String) throws -> StoreDocument {
    try BinaryStoreReader.document(in: BinaryStoreFile(bytes, path: path), of: model)
  }

  /// Reads a store object by object.
  package func read(
    _ bytes: Data, of model: EntityHierarchy, path: String, _ take: (StoreDocument.Object) throws -> Void
  ) throws -> StoreDocument? {
    try BinaryStoreReader.read(BinaryStoreFile(bytes, path: path), of: model, take)
  }

  /// Writes a store.
  package func bytes(of content: DocumentContent, model: EntityHierarchy) throws -> Data {
    try BinaryStoreWriter.bytes(of: content, model: model)
  }

  /// Recovers the parts of a store's model that the file contains, so that the store can be read and written.
  ///
  /// The file does not have the names of attributes: they become `attribute1` and so on, by their positions, with the
  /// types of their values. Relationships without objects count as attributes without values. Inheritance, inverses and
  /// destinations other than the first are unknown.
  ///
  /// - Throws: ``StoreDocumentError`` if the file is invalid.
  public func model(in bytes: Data, path: String) throws -> ManagedObjectModel {
    try BinaryStoreModel.model(of: BinaryStoreFile(bytes, path: path))
  }
}

/// The part of a model that a binary store shows.
enum BinaryStoreModel {
  static func model(of file: BinaryStoreFile) throws -> ManagedObjectModel {
    let metadata = try file.numbered().metadata
    let (archive, nodes) = try file.nodes()
    let names = Dictionary(nodes.map { ($0.key, $0.entity) }) { first, _ in first }
    var entities = Dictionary(grouping: nodes) { $0.entity }.mapValues { nodes in
      entity(nodes, archive: archive, names: names)
    }
    for (name, all) in Dictionary(grouping: nodes, by: \.entity) {
      guard let odd = all.first(where: { $0.values.count != all.first?.values.count }) else { continue }
      throw StoreDocumentError(
        path: file.path, .object("\(name) \(odd.key)", property: nil),
        .malformed("the object has \(odd.values.count) values, unlike other objects of its entity"))
    }
    for name in metadata.versionHashes.entities.keys where entities[name] == nil {
      entities[name] = EntityDescription(name: name)
    }
    return ManagedObjectModel(
      entities: entities.values.sorted { $0.name < $1.name }, versionIdentifiers: metadata.identifiers)
  }

  private static func entity(
    _ nodes: [BinaryStoreNode], archive: KeyedArchive, names: [Int64: String]
  ) -> EntityDescription {
    var relationships: [String: RelationshipDescription] = [:]
    for node in nodes {
      for (name, links) in node.links {
        var relationship =
          relationships[name]
          ?? RelationshipDescription(
            name: name, destinationEntityName: links.keys.first.flatMap { names[$0] }, isOptional: true, maxCount: 1)
        if links.isMutable || links.keys.count > 1 { relationship.maxCount = 0 }
        relationship.isOrdered = relationship.isOrdered || links.isOrdered
        relationships[name] = relationship
      }
    }
    let count = max(0, (nodes.first?.values.count ?? 0) - relationships.count)
    let width = String(count).count
    let attributes = (0..<count).map { position in
      let number = String(position + 1)
      return AttributeDescription(
        name: "attribute" + String(repeating: "0", count: width - number.count) + number,
        type: type(at: position, nodes, archive), isOptional: true)
    }
    return EntityDescription(
      name: nodes.first?.entity ?? "", attributes: attributes,
      relationships: relationships.values.sorted { $0.name < $1.name })
  }

  /// The common type of all values at a position; undefined without values or with different types.
  private static func type(at position: Int, _ nodes: [BinaryStoreNode], _ archive: KeyedArchive) -> AttributeType {
    var types: Set<AttributeType> = []
    for node in nodes where position < node.values.count {
      guard let object = archive.object(numbered: node.values[position]), !object.isKind(of: "NSNull") else { continue }
      types.insert(BinaryStoreValue.type(of: object) ?? .transformable)
    }
    return types.count == 1 ? types.first ?? .undefined : .undefined
  }
}
