public import ModelDescription
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
  package let snapshot: StoreSnapshot

  /// Reads the schema of a store.
  ///
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

/// The relationships that name join tables in stores that Core Data made of a model.
public struct JoinNameReference: Sendable {
  /// The store, or the lock file that its names were written to.
  public let path: String
  /// The model.
  public let hierarchy: EntityHierarchy
  /// The relationships, of pairs with both ends on one entity.
  public let naming: Set<PropertyAddress>

  /// Makes a reference.
  public init(path: String, hierarchy: EntityHierarchy, naming: Set<PropertyAddress>) {
    (self.path, self.hierarchy, self.naming) = (path, hierarchy, naming)
  }
}

/// Why the names in a store are no evidence.
public enum JoinNameReferenceError: Error, Hashable, Sendable {
  /// It has other version hashes.
  case otherVersion(path: String, version: String)
  /// It was made or migrated by modelctl, which may have guessed.
  case notOfCoreData(path: String)
}

extension JoinNameReferenceError: CustomStringConvertible {
  /// The place, the cause and what to try next.
  public var description: String {
    switch self {
    case .otherVersion(let path, let version):
      """
      \(path): is no store of \(version), so that its names say nothing about it; see which version it has with: \
      modelctl status \(ShellWord(path: path).text)
      """
    case .notOfCoreData(let path):
      """
      \(path): was made or migrated by modelctl, so that its names may be guesses; name a store that an app wrote with \
      Core Data, on a device or in the simulator
      """
    }
  }
}
