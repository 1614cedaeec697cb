import Foundation
public import ModelDescription

/// The version hashes of a model's entities: what makes it the same version as another, and what a store records.
public struct VersionHashes: Hashable, Sendable {
  /// The hash of every entity, abstract ones included, by name.
  public let entities: [String: VersionHash]

  /// Takes hashes from elsewhere, such as a store's metadata.
  public init(entities: [String: VersionHash]) {
    self.entities = entities
  }

  /// Computes the hashes of a model.
  ///
  /// - Throws: `ModelStructureError` when the model's entities form no hierarchy or a type is unknown.
  public init(of model: ManagedObjectModel) throws(ModelStructureError) {
    try self.init(of: EntityHierarchy(model))
  }

  /// Computes the hashes of a model whose hierarchy is known.
  ///
  /// - Throws: `ModelStructureError`.
  public init(of hierarchy: EntityHierarchy) throws(ModelStructureError) {
    try self.init(of: hierarchy, sharing: EntityHashMemory())
  }

  /// Computes the hashes of one of several versions of a model.
  ///
  /// - Throws: `ModelStructureError`.
  package init(of hierarchy: EntityHierarchy, sharing memory: EntityHashMemory) throws(ModelStructureError) {
    var hasher = EntityHasher(hierarchy, sharing: memory)
    var entities: [String: VersionHash] = [:]
    for entity in hierarchy.model.entities {
      entities[entity.name] = try hasher.hash(of: entity.name)
    }
    self.entities = entities
  }

  /// `NSStoreModelVersionHashesDigest`: base64 of SHA-512 over names and hashes, sorted by name.
  public var digest: String {
    let bytes = sorted.flatMap { Array($0.key.utf8) + $0.value.bytes }
    return Data(bytes.withUnsafeBytes { SHA2.digest512(of: $0) }).base64EncodedString()
  }

  /// `NSManagedObjectModel.versionChecksum`: base64 of SHA-256 over the hashes, sorted by name.
  public var checksum: String {
    let bytes = sorted.flatMap(\.value.bytes)
    return Data(bytes.withUnsafeBytes { SHA2.digest256(of: $0) }).base64EncodedString()
  }

  private var sorted: [(key: String, value: VersionHash)] {
    entities.sorted { $0.key.precedesByBytes($1.key) }
  }
}
