public import ModelDescription
public import ModelFiles
public import VersionHashing

/// A version as users have it, and who says so: the lock file, an earlier revision, a tag or the app's compiled model.
public struct Release: Sendable {
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

  /// Makes a release.
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

extension [Release] {
  /// Who says so, each once.
  var words: String {
    var seen: Set<String> = []
    return map(\.witness.words).filter { seen.insert($0).inserted }.joined(separator: ", ")
  }
}

extension Release.Witness {
  /// The file or the revision that says so.
  fileprivate var words: String {
    switch self {
    case .lock(let path): BundlePath.lastComponent(path)
    case .base(let name), .tag(let name): name
    case .compiled(let path): path
    }
  }
}
