public import ModelDescription
public import ModelFiles
public import VersionHashing

/// A version as users have it: from the lock file, an earlier revision or the app's compiled model.
public struct ReleasedVersion: Sendable {
  /// Who says so.
  public enum Witness: Hashable, Sendable {
    /// The lock file beside the bundle.
    case lock(path: String)
    /// A revision of git, or a folder, given as the base.
    case base(name: String)
    /// A tag of git that the configuration says is a release.
    case tag(name: String)
    /// A compiled model of the shipped app.
    case compiled(path: String)
  }

  /// Who says so.
  public let witness: Witness
  /// The version's name.
  public let name: String
  /// The version's hashes.
  public let hashes: VersionHashes
  /// The version's model; the lock file holds none.
  public let model: ManagedObjectModel?
  /// Where the lock file says it.
  public let location: SourceLocation?
  /// A revision of git that has the version with these hashes; nil when none is known.
  public let revision: String?

  /// Makes a released version.
  public init(
    witness: Witness, name: String, hashes: VersionHashes, model: ManagedObjectModel? = nil,
    location: SourceLocation? = nil, revision: String? = nil
  ) {
    self.witness = witness
    self.name = name
    self.hashes = hashes
    self.model = model
    self.location = location
    self.revision = revision
  }
}
