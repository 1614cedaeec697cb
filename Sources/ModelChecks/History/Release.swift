public import ModelDescription
public import ModelFiles
public import VersionHashing

/// A version as users have it, with its evidence: the lock file, an earlier revision, a tag or a compiled model.
public struct Release: Sendable {
  /// What shows that a version was released.
  public enum Evidence: Hashable, Sendable {
    /// The lock file beside the bundle.
    case lock(path: String)
    /// A revision of git, or a folder, given as the base.
    case base(name: String)
    /// A tag of git that the configuration says is a release.
    case tag(name: String)
    /// A compiled model of the shipped app.
    case compiled(path: String)
  }

  /// What shows that it was released.
  public let evidence: Evidence
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
  /// The path of the model's file in that revision, as seen from here, for a bundle that lay elsewhere then.
  public let revisionPath: String?
  /// The path of the model's file in a folder that is the base.
  let copy: String?

  /// Makes a release.
  public init(
    evidence: Evidence, name: String, hashes: VersionHashes, model: ManagedObjectModel? = nil,
    location: SourceLocation? = nil, revision: String? = nil, revisionPath: String? = nil
  ) {
    self.init(
      evidence: evidence, name: name, hashes: hashes, model: model, location: location, revision: revision,
      revisionPath: revisionPath, copy: nil)
  }

  init(
    evidence: Evidence, name: String, hashes: VersionHashes, model: ManagedObjectModel?,
    location: SourceLocation? = nil,
    revision: String?, revisionPath: String?, copy: String?
  ) {
    (self.evidence, self.name, self.hashes, self.model) = (evidence, name, hashes, model)
    (self.location, self.revision, self.revisionPath, self.copy) = (location, revision, revisionPath, copy)
  }
}

extension [Release] {
  var words: String {
    var seen: Set<String> = []
    return map(\.evidence.words).filter { seen.insert($0).inserted }.joined(separator: ", ")
  }
}

extension Release.Evidence {
  fileprivate var words: String {
    switch self {
    case .lock(let path): "recorded in \(BundlePath.lastComponent(path))"
    case .base(let name): "in \(name)"
    case .tag(let name): "tag \(name)"
    case .compiled(let path): "in \(path)"
    }
  }
}
