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
  /// True if Core Data named its tables.
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

  /// Returns the evidence of this store for the names in stores of a version.
  ///
  /// - Parameter version: the version; the store must have its hashes, or those of one of its configurations.
  /// - Returns: the names; for a store of a single configuration, those of its entities.
  /// - Throws: ``JoinNameReferenceError`` if the store is not evidence for the version.
  public func reference(for version: LoadedVersion) throws(JoinNameReferenceError) -> JoinNameReference {
    guard let held = version.restricted(to: versionHashes) else {
      throw .otherVersion(path: path, version: version.name)
    }
    guard isOfCoreData else { throw .notOfCoreData(path: path) }
    let bound = BoundLayout(of: held.hierarchy, to: snapshot)
    return JoinNameReference(path: path, hierarchy: held.hierarchy, naming: Set(bound.layout.selfJoins.map(\.naming)))
  }
}

/// The relationships that name join tables in the stores of a model that Core Data created.
public struct JoinNameReference: Sendable {
  /// The store, or the lock file that its names were written to.
  public let path: String
  /// The model.
  public let hierarchy: EntityHierarchy
  /// The relationships of pairs with both ends on a single entity.
  public let naming: Set<PropertyAddress>

  /// Creates a reference.
  public init(path: String, hierarchy: EntityHierarchy, naming: Set<PropertyAddress>) {
    (self.path, self.hierarchy, self.naming) = (path, hierarchy, naming)
  }
}

/// An error if the table names in a store prove nothing about a version.
public enum JoinNameReferenceError: Error, Hashable, Sendable {
  /// The store has other version hashes.
  case otherVersion(path: String, version: String)
  /// modelctl created or migrated the store and may have guessed the names.
  case notOfCoreData(path: String)
}

extension JoinNameReferenceError: AdvisedError {
  /// The path of the store.
  public var place: String? {
    switch self {
    case .otherVersion(let path, _), .notOfCoreData(let path): path
    }
  }

  /// The cause as a sentence without the path.
  public var cause: String {
    switch self {
    case .otherVersion(_, let version):
      "the store was not written by \(version), so its table names prove nothing about it"
    case .notOfCoreData: "modelctl created or migrated this store, so its table names may be guesses"
    }
  }

  /// The store to give instead, or the way to find its version.
  public var advice: Advice? {
    switch self {
    case .otherVersion(let path, _):
      "find out which version wrote it: \(run: "modelctl", "status", path.hasPrefix("-") ? "./\(path)" : path)"
    case .notOfCoreData: "give a store that your app wrote with Core Data, on a device or in the simulator"
    }
  }
}
