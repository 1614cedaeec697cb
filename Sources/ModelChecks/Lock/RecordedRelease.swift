import ModelDescription
public import ModelFiles
import PersistentStores
public import VersionHashing

/// A version as the lock file of its bundle records it, which the bundle has no more as it was.
public struct RecordedRelease: Hashable, Sendable {
  /// The version's name.
  public let name: String
  /// The path of its bundle.
  public let bundle: String
  /// The path of the lock file.
  public let lockPath: String
  /// Whether users have it.
  public let state: LockFile.State
  /// What was edited since, in clauses that begin with the element; empty where the version is gone.
  public let edits: [String]
  /// When and why its support ended; nil unless it is retired.
  public let retirement: LockFile.Retirement?
  /// The last state of the project that has it beside a current version: a tag, else a commit, and that version.
  public let lastBuild: LastBuild?
  /// A revision of git that has it as it was recorded; nil when none is found.
  public let revision: String?
  /// The command that makes the version what it was, and keeps an edit of the current version in a new one; nil when no
  /// revision is known.
  public let restoring: String?

  /// A state of a project that migrates stores of a version.
  public struct LastBuild: Hashable, Sendable {
    /// The tag or the commit.
    public let revision: String
    /// The version that was current.
    public let currentVersion: String?
  }

  /// When and why the support of a version that is here ended.
  ///
  /// - Returns: nil unless the lock file says that it is retired.
  public static func retirement(of name: String, in bundle: ModelBundle) -> LockFile.Retirement? {
    bundle.form.isEditable ? (try? LockFile.read(beside: bundle))??.entries[name]?.retirement : nil
  }

  /// Looks for a version in the lock files of bundles.
  ///
  /// - Parameters:
  ///   - hashes: the hashes of the version.
  ///   - bundles: the bundles, of which those without a readable lock file are passed over.
  /// - Returns: the first that records a version with these hashes; nil when none does.
  public static func find(_ hashes: VersionHashes, in bundles: [ModelBundle]) -> RecordedRelease? {
    for bundle in bundles where bundle.form.isEditable {
      guard let lock = (try? LockFile.read(beside: bundle)) ?? nil,
        let (name, entry) = lock.sortedEntries().first(where: { $0.value.hashes == hashes })
      else { continue }
      return read(name, entry, of: bundle, lock)
    }
    return nil
  }

  private static func read(
    _ name: String, _ entry: LockFile.Entry, of bundle: ModelBundle, _ lock: LockFile
  ) -> RecordedRelease {
    let usable = BundleReading.read(bundle).usable
    let version = usable.first { $0.name == name }
    let edits = version?.edits(since: entry.hashes, among: usable).map(\.words) ?? []
    let path = bundle.version(named: name)?.path ?? "\(bundle.path)/\(name).xcdatamodel"
    let build = entry.retirement == nil ? nil : lastBuild(with: path, in: bundle, hashes: entry.hashes)
    let revision = build?.revision ?? revision(of: path, in: bundle, hashes: entry.hashes)
    let isCurrent = version != nil && bundle.currentVersionName == name && bundle.form == .versioned
    let restoring = revision.map { revision in
      isCurrent
        ? "modelctl new-version --restore \(ShellWord(revision).text) --model \(ShellWord(path: bundle.path).text)"
        : GitAdvice.restoring(path, revision: revision).text
    }
    return RecordedRelease(
      name: name, bundle: bundle.path, lockPath: lock.path, state: entry.state, edits: edits,
      retirement: entry.retirement, lastBuild: build, revision: revision, restoring: restoring)
  }

  /// The newest revision of git in which a version has certain hashes.
  private static func revision(of path: String, in bundle: ModelBundle, hashes: VersionHashes) -> String? {
    let commits = (try? FileRevisions.read(of: path, atMost: revisionLimit)) ?? []
    return commits.first { commit in
      let found = try? RevisionTree.read(commit, paths: [path], usingMergeBase: false) { tree in
        try BundleReading.read(ModelBundle(at: tree.path(of: bundle.path))).usable
          .contains { $0.versionHashes == hashes }
      }
      return found ?? false
    }
  }

  /// The newest tag, else the newest commit, in which a version has certain hashes.
  private static func lastBuild(with path: String, in bundle: ModelBundle, hashes: VersionHashes) -> LastBuild? {
    for revision in (try? FileRevisions.holders(of: path)) ?? [] {
      let found = try? RevisionTree.read(revision, paths: [bundle.path], usingMergeBase: false) { tree in
        let reading = BundleReading.read(try ModelBundle(at: tree.path(of: bundle.path)))
        let holds = reading.usable.contains { $0.versionHashes == hashes }
        return holds ? LastBuild(revision: revision, currentVersion: reading.bundle.currentVersionName) : nil
      }
      if let build = found ?? nil { return build }
    }
    return nil
  }

  /// How many revisions of a version are looked at.
  private static let revisionLimit = 200
}
