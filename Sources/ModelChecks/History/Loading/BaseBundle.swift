import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

/// A bundle as the base has it.
struct BaseBundle {
  let reading: BundleReading
  let lock: LockFile?
  private let base: HistoryBase

  /// Reads a bundle of the base.
  ///
  /// - Parameters:
  ///   - bundle: the bundle in the base.
  ///   - base: the base.
  ///   - current: the bundle as it is now.
  /// - Returns: the bundle as the base has it.
  /// - Throws: the error of the base's lock file.
  static func read(_ bundle: ModelBundle, base: HistoryBase, current: BundleReading?) throws -> BaseBundle {
    BaseBundle(
      reading: BundleReading.read(bundle, sharing: current), lock: try LockFile.read(beside: bundle), base: base)
  }

  private init(reading: BundleReading, lock: LockFile?, base: HistoryBase) {
    (self.reading, self.lock, self.base) = (reading, lock, base)
  }

  /// What users have: the released entries of the base's lock, else every version of the base.
  var released: [Release] {
    guard let lock else {
      return reading.usable.map { released($0.name, $0.versionHashes) }
    }
    return lock.sortedEntries(.released).map { released($0.key, $0.value.hashes) }
  }

  /// The versions of which nothing says what they were: they cannot be read, and the base's lock does not hold them.
  var unknownVersions: [String] {
    reading.bundle.versions.map(\.name).filter { reading.versions[$0] == nil && lock?.entries[$0] == nil }
  }

  /// The version that the base says is current, nil when it names one it has not.
  var currentVersionName: String? {
    reading.bundle.currentVersionName.flatMap { reading.bundle.version(named: $0)?.name }
  }

  private func released(_ name: String, _ hashes: VersionHashes) -> Release {
    let known = reading.versions[name]?.loaded
    let hasModel = known?.versionHashes == hashes
    return Release(
      evidence: .base(name: base.name), name: name, hashes: hashes, model: hasModel ? known?.hierarchy.model : nil,
      revision: hasModel ? base.revision : nil)
  }
}
