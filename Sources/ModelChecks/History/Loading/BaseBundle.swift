import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

struct BaseBundle {
  let reading: ReadBundle
  let lock: LockFile?
  private let base: HistoryBase
  /// True if the bundle has a different path now.
  private let isElsewhere: Bool

  /// Reads a bundle of the base.
  static func read(_ bundle: ModelBundle, base: HistoryBase, current: ReadBundle?) throws -> BaseBundle {
    BaseBundle(
      reading: ReadBundle.read(bundle, sharing: current), lock: try LockFile.read(beside: bundle), base: base,
      isElsewhere: current.map { base.path($0.bundle.path) != bundle.path } ?? false)
  }

  private init(reading: ReadBundle, lock: LockFile?, base: HistoryBase, isElsewhere: Bool) {
    (self.reading, self.lock, self.base, self.isElsewhere) = (reading, lock, base, isElsewhere)
  }

  /// The released entries of the base's lock file; without a lock file, every version of the base.
  var released: [Release] {
    guard let lock else { return reading.usable.map { released($0.name, $0.versionHashes) } }
    return lock.sortedEntries(.released).map { released($0.key, $0.value.hashes) }
  }

  /// The hashes that identify the bundle: of its releases, or of all its versions if it does not have releases.
  ///
  /// Versions without entities are equal, so they are left out.
  var identity: Set<VersionHashes> {
    let known = self.released.map(\.hashes)
    return Set(known.isEmpty ? reading.usable.map(\.versionHashes) : known).filter { !$0.entities.isEmpty }
  }

  /// The versions that cannot be read and are not in the base's lock file.
  var unknownVersions: [String] {
    reading.bundle.versions.map(\.name).filter { reading.versions[$0] == nil && lock?.entries[$0] == nil }
  }

  /// The current version of the base; nil if the base does not have the named version.
  var currentVersionName: String? {
    reading.bundle.currentVersionName.flatMap { reading.bundle.version(named: $0)?.name }
  }

  /// The path of the lock file in the revision, from the working folder, for a bundle that was moved since then.
  var revisionLockPath: String? {
    guard let lock, isElsewhere, base.revision != nil else { return nil }
    return base.workingPath(lock.path)
  }

  private func released(_ name: String, _ hashes: VersionHashes) -> Release {
    let known = reading.versions[name]?.loaded
    let hasModel = known?.versionHashes == hashes
    let revision = hasModel ? base.revision : nil
    let file = hasModel ? reading.bundle.version(named: name)?.filePath : nil
    return Release(
      evidence: .base(name: base.name), name: name, hashes: hashes, model: hasModel ? known?.hierarchy.model : nil,
      revision: revision, revisionPath: revision != nil && isElsewhere ? file.map(base.workingPath) : nil,
      copy: base.revision == nil ? file : nil)
  }
}
