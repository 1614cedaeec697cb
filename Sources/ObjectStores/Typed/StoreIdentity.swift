import GRDB
import PersistentStores
import VersionHashing

/// What identifiers and types of objects are held against: which store it is, and how its entities are defined.
public struct StoreIdentity: Hashable, Sendable {
  /// The store's path.
  public let path: String
  /// The store's UUID, which every migration keeps.
  public let uuid: String
  /// The version hashes of the entities in base64, by name.
  let hashes: [String: String]

  init(reading database: Database, path: String) throws {
    let metadata = try StoreMetadata(reading: database, path: path)
    (self.path, uuid) = (path, metadata.uuid)
    hashes = metadata.versionHashes.entities.mapValues(\.base64)
  }
}
