public import ModelDescription
public import ModelFiles
public import VersionHashing

/// A released version with its release evidence: the lock file, an earlier revision, a tag or a compiled model.
public struct Release: Sendable {
  /// The evidence that a version was released.
  public enum Evidence: Hashable, Sendable {
    /// The lock file beside the bundle.
    case lock(path: String)
    /// A revision of git, or a folder, given as the base.
    case base(name: String)
    /// A tag of git that the configuration names as a release.
    case tag(name: String)
    /// A compiled model of the shipped app.
    case compiled(path: String)
  }

  /// The evidence of the release.
  public let evidence: Evidence
  /// The version's name.
  public let name: String
  /// The version's hashes.
  public let hashes: VersionHashes
  /// The model of the version; nil for the lock file, which does not contain models.
  public let model: ManagedObjectModel?
  /// The location of its entry in the lock file.
  public let location: SourceLocation?
  /// A revision of git that has the version with these hashes; nil if none is known.
  public let revision: String?
  /// The path of the model's file in that revision, from the working folder, for a bundle that was moved since then.
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
