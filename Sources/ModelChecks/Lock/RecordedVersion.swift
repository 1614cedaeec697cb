public import ModelFiles
import PersistentStores
public import VersionHashing

/// A version as the lock file of its bundle records it, which the bundle has no more as it was.
public struct RecordedVersion: Hashable, Sendable {
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
  public static func find(_ hashes: VersionHashes, in bundles: [ModelBundle]) -> RecordedVersion? {
    for bundle in bundles where bundle.form.isEditable {
      guard let lock = (try? LockFile.read(beside: bundle)) ?? nil,
        let (name, entry) = lock.sortedEntries().first(where: { $0.value.hashes == hashes })
      else { continue }
      return RecordedVersion(name, entry, of: bundle, lock)
    }
    return nil
  }

  private init(_ name: String, _ entry: LockFile.Entry, of bundle: ModelBundle, _ lock: LockFile) {
    (self.name, self.bundle, lockPath, state) = (name, bundle.path, lock.path, entry.state)
    let usable = BundleReading(bundle).usable
    let version = usable.first { $0.name == name }
    edits =
      version.map {
        EditedVersion($0, witnesses: [], hashes: entry.hashes, related: usable.map(\.known)).edits.map(\.words)
      } ?? []
    let path = bundle.version(named: name)?.path ?? "\(bundle.path)/\(name).xcdatamodel"
    let revision = Self.revision(of: path, in: bundle, hashes: entry.hashes)
    self.revision = revision
    let isCurrent = version != nil && bundle.currentVersionName == name && bundle.form == .versioned
    restoring = revision.map { revision in
      isCurrent
        ? "modelctl new-version --restore \(ShellWord(revision).text) --model \(ShellPath.quoted(bundle.path))"
        : GitRestoring.command(for: path, revision: revision)
    }
  }

  /// The newest revision of git in which a version has certain hashes.
  private static func revision(of path: String, in bundle: ModelBundle, hashes: VersionHashes) -> String? {
    let commits = (try? FileRevisions(of: path, atMost: revisionLimit))?.commits ?? []
    return commits.first { commit in
      let found = try? RevisionTree.read(commit, paths: [path], usingMergeBase: false) { tree in
        try BundleReading(ModelBundle(at: tree.path(of: bundle.path))).usable
          .contains { $0.known.versionHashes == hashes }
      }
      return found ?? false
    }
  }

  /// How many revisions of a version are looked at.
  private static let revisionLimit = 200
}
