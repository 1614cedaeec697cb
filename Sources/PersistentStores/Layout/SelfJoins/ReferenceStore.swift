public import ModelFiles
public import VersionHashing

/// A store that shows how Core Data names the join tables of its model.
public struct ReferenceStore: Sendable {
  /// The store.
  public let path: String
  /// The version hashes it has.
  public let versionHashes: VersionHashes
  /// The version of Core Data that last wrote it.
  package let frameworkVersion: Int64?
  /// Whether Core Data gave its tables their names.
  package let isOfCoreData: Bool
  /// Its schema.
  package let snapshot: StoreSnapshot

  /// Reads the schema of a store.
  ///
  /// - Parameter path: the store.
  /// - Returns: what it shows.
  /// - Throws: `StoreError`.
  public static func read(path: String) throws -> ReferenceStore {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    return try reader.read { database in
      let metadata = try StoreMetadata(reading: database, path: path)
      return ReferenceStore(
        path: path, versionHashes: metadata.versionHashes, frameworkVersion: metadata.frameworkVersion,
        isOfCoreData: try metadata.hasNamesOfCoreData(reading: database),
        snapshot: try StoreSnapshot(reading: database, counting: false))
    }
  }

  /// What it shows of the names in stores of a version.
  ///
  /// - Parameter version: the version whose hashes it must have, or those of one of its configurations.
  /// - Returns: the names, of a store of one configuration those of its entities.
  /// - Throws: ``JoinNameReferenceError`` when its names are no evidence.
  public func reference(for version: LoadedVersion) throws(JoinNameReferenceError) -> JoinNameReference {
    guard let held = version.restricted(to: versionHashes) else {
      throw .otherVersion(path: path, version: version.name)
    }
    guard isOfCoreData else { throw .notOfCoreData(path: path) }
    let bound = BoundLayout(of: held.hierarchy, to: snapshot)
    return JoinNameReference(path: path, hierarchy: held.hierarchy, naming: Set(bound.layout.selfJoins.map(\.naming)))
  }
}
