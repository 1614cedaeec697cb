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
  /// A revision of git that has it as it was recorded; nil when none is found.
  public let revision: String?
  /// The command that makes the version what it was, and keeps an edit of the current version in a new one; nil when no
  /// revision is known.
  public let restoring: String?

  /// Looks for a version in the lock files of bundles.
  ///
  /// - Parameters:
  ///   - hashes: the hashes of all its entities.
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
    let revision = revision(of: path, in: bundle, hashes: entry.hashes)
    let isCurrent = version != nil && bundle.currentVersionName == name && bundle.form == .versioned
    let restoring = revision.map { revision in
      isCurrent
        ? "modelctl new-version --restore \(ShellWord(revision).text) --model \(ShellWord(path: bundle.path).text)"
        : GitAdvice.restoring(path, revision: revision).text
    }
    return RecordedRelease(
      name: name, bundle: bundle.path, lockPath: lock.path, state: entry.state, edits: edits, revision: revision,
      restoring: restoring)
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

  /// How many revisions of a version are looked at.
  private static let revisionLimit = 200
}
