public import ModelDescription
public import PersistentStores
public import StoreRows
import VersionHashing

/// All objects of a store, by entity and key.
public struct StoreContentsList: Sendable {
  /// The store's UUID.
  public let uuid: String
  /// The checksum of its version hashes.
  public let checksum: String
  /// The objects, with those of their to-many relationships.
  public let objects: [ObjectRecord]

  /// Reads a store.
  ///
  /// - Throws: `StoreError`, and what keeps a value from being read.
  public init(of reader: StoreReader, model hierarchy: EntityHierarchy) throws {
    let metadata = try reader.metadata()
    (uuid, checksum) = (metadata.uuid, metadata.versionHashes.checksum)
    objects = try reader.read { database in
      let whole = WholeObjects(try RecordReading(of: hierarchy, path: reader.file, in: database))
      var found: [ObjectRecord] = []
      for entity in hierarchy.model.entities.filter({ !$0.isAbstract }).map(\.name).sorted() {
        try whole.forEachBatch(of: entity) { found += $0 }
      }
      return found
    }
  }
}
