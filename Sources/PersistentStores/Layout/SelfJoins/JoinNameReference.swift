public import ModelDescription

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
    self.path = path
    self.hierarchy = hierarchy
    self.naming = naming
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
