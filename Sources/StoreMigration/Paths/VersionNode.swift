public import ModelDescription
public import VersionHashing

/// A version of a model that a store may have or get.
public struct VersionNode: Sendable {
  /// The name people know it by.
  public let name: String
  /// The model.
  public let hierarchy: EntityHierarchy
  /// The hashes that make it this version and no other.
  public let hashes: VersionHashes

  /// Makes a version of a sound model.
  ///
  /// - Throws: ``ModelStructureError`` for a model that cannot be hashed.
  public init(name: String, hierarchy: EntityHierarchy) throws(ModelStructureError) {
    self.name = name
    self.hierarchy = hierarchy
    hashes = try VersionHashes(of: hierarchy)
  }
}
