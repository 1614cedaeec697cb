import ModelDescription
public import ModelFiles
import PersistentStores
public import VersionHashing

/// A recorded version that was edited or deleted since.
public struct RecordedRelease: Hashable, Sendable {
  /// The version's name.
  public let name: String
  /// The path of the version.
  let path: String
  /// The path of its bundle.
  public let bundle: String
  /// The path of the lock file.
  public let lockPath: String
  /// The state in the lock file.
  public let state: LockFile.State
  /// The later edits, in clauses that begin with the element; empty if the version is deleted.
  public let edits: [String]
  /// The end of its support; nil unless it is retired.
  public let retirement: LockFile.Retirement?
  /// The last tag or commit of the project that has the version, with the current version at that state.
  public let lastBuild: LastBuild?
  /// A revision of git that has the recorded version; nil if none is found.
  public let revision: String?
  /// The command that restores the version and keeps an edit of the current version in a new version.
  ///
  /// Nil if no revision is known.
  public let restoring: String?

  /// A state of a project that migrates stores of a version.
  public struct LastBuild: Hashable, Sendable {
    /// The tag or the commit.
    public let revision: String
    /// The version that was current.
    public let currentVersion: String?
  }

  /// The end of support of a version of a bundle.
  ///
  /// - Returns: the day and the reason; nil unless the version is retired.
  public static func retirement(of name: String, in bundle: ModelBundle) -> LockFile.Retirement? {
    bundle.form.isEditable ? (try? LockFile.read(beside: bundle))??.entries[name]?.retirement : nil
  }

  /// Finds a version in the lock files of bundles.
  ///
  /// - Parameters:
  ///   - hashes: the hashes of the version.
  ///   - bundles: the bundles; bundles without a readable lock file are skipped.
  /// - Returns: the first recorded version with these hashes; nil if there is none.
  public static func find(_ hashes: VersionHashes, in bundles: [ModelBundle]) -> RecordedRelease? {
    for bundle in bundles where bundle.form.isEditable {
      guard let lock = (try? LockFile.read(beside: bundle)) ?? nil,
        let (name, entry) = lock.sortedEntries().first(where: { $0.value.hashes == hashes })
      else { continue }
      return read(name, entry, of: bundle, lock)
    }
    return nil
  }

  /// The current version of a bundle, if its lock file records it as released with different hashes.
  ///
  /// - Returns: the recorded version; nil if the version is as it was released, or cannot be read.
  public static func editedCurrent(of bundle: ModelBundle) -> RecordedRelease? {
    guard bundle.form.isEditable, let lock = (try? LockFile.read(beside: bundle)) ?? nil,
      let version = try? bundle.currentVersion(), let entry = lock.entries[version.name], entry.state == .released,
      let model = try? version.load().model, let hashes = try? VersionHashes(of: model), hashes != entry.hashes
    else { return nil }
    return read(version.name, entry, of: bundle, lock)
  }

  /// The command that restores the version after its edits were copied.
  ///
  /// Nil if no revision is known, and for a single model, which a copy moves into a bundle.
  package var restoringFile: String? {
    path == bundle ? nil : revision.map { GitAdvice.restoring(path, revision: $0).text }
  }

  private static func read(
    _ name: String, _ entry: LockFile.Entry, of bundle: ModelBundle, _ lock: LockFile
  ) -> RecordedRelease {
    let usable = ReadBundle.read(bundle).usable
    let version = usable.first { $0.name == name }
    let edits = version?.edits(since: entry.hashes, among: usable).map(\.words) ?? []
    let path = bundle.version(named: name)?.path ?? "\(bundle.path)/\(name).xcdatamodel"
    let build = entry.retirement == nil ? nil : lastBuild(with: path, in: bundle, hashes: entry.hashes)
    let revision = build?.revision ?? revision(of: name, at: path, in: bundle, hashes: entry.hashes)
    let isCurrent = version != nil && bundle.currentVersionName == name && bundle.form == .versioned
    let restoring = revision.map { revision in
      isCurrent
        ? Advice.Command(
          ["modelctl", "new-version", "--restore", revision, "--model", ShellWord.argument(bundle.path)]
        ).text
        : GitAdvice.restoring(path, revision: revision).text
    }
    return RecordedRelease(
      name: name, path: path, bundle: bundle.path, lockPath: lock.path, state: entry.state, edits: edits,
      retirement: entry.retirement, lastBuild: build, revision: revision, restoring: restoring)
  }

  /// The newest revision of git in which a version has certain hashes: an ancestor of `HEAD`, or else a tag.
  ///
  /// - Parameter path: the path of the version.
  static func revision(of name: String, at path: String, in bundle: ModelBundle, hashes: VersionHashes) -> String? {
    func holds(_ revision: String) -> Bool {
      let found = try? RevisionTree.read(revision, paths: [path], usingMergeBase: false) { tree in
        try ReadBundle.read(ModelBundle(at: tree.path(of: bundle.path))).usable
          .contains { $0.name == name && $0.versionHashes == hashes }
      }
      return found ?? false
    }
    return ((try? FileRevisions.read(of: path, atMost: revisionLimit)) ?? []).first(where: holds)
      ?? ((try? FileRevisions.holders(of: path)) ?? []).first(where: holds)
  }

  /// The newest tag in which a version has certain hashes; without a tag, the newest commit.
  private static func lastBuild(with path: String, in bundle: ModelBundle, hashes: VersionHashes) -> LastBuild? {
    for revision in (try? FileRevisions.holders(of: path)) ?? [] {
      let found = try? RevisionTree.read(revision, paths: [bundle.path], usingMergeBase: false) { tree in
        let reading = ReadBundle.read(try ModelBundle(at: tree.path(of: bundle.path)))
        let holds = reading.usable.contains { $0.versionHashes == hashes }
        return holds ? LastBuild(revision: revision, currentVersion: reading.bundle.currentVersionName) : nil
      }
      if let build = found ?? nil { return build }
    }
    return nil
  }

  /// The maximum number of revisions of a version that are read.
  private static let revisionLimit = 200
}
