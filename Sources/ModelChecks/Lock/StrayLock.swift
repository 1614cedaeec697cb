import Foundation
import ModelFiles
import PersistentStores
import VersionHashing

/// A lock file that has no bundle beside it.
struct StrayLock {
  let lock: LockFile
  let bundlePath: String

  var bundleName: String { BundlePath.stem(bundlePath) }

  /// Where the lock file begins to say what was released.
  var location: SourceLocation { lock.location ?? SourceLocation(file: lock.path, line: 1, column: 1) }

  /// The versions that it says are released, in their natural order.
  var releasedVersions: [String] { lock.sortedEntries(.released).map(\.key) }

  /// Reads a file; nil for one that is not ours, or whose bundle is there; a link there is a bundle elsewhere.
  private static func read(_ path: String) -> StrayLock? {
    let stem = path.dropLast(ProjectFiles.lockSuffix.count)
    let forms = [ModelBundle.Form.versioned, .single]
    let bundles = forms.map { "\(stem).\($0.rawValue)" }.filter(FileManager.default.fileExists(atPath:))
    guard !bundles.contains(where: { LockFile.path(besideBundleAt: $0) == path }),
      let lock = try? LockFile(contentsOf: path)
    else { return nil }
    return StrayLock(lock: lock, bundlePath: "\(stem).\(ModelBundle.Form.versioned.rawValue)")
  }

  /// Every stray lock file below folders, sorted.
  static func find(under folders: [String], _ search: ProjectSearch) -> [StrayLock] {
    var seen: Set<String> = []
    return VersionOrder.sorted(folders.flatMap { search.files(under: $0).locks }.filter { seen.insert($0).inserted })
      .compactMap(read)
  }

  /// Whether a bundle without a lock file continues the one that this belongs to: it has a version of it, or, where no
  /// other has, its name.
  func isOf(_ reading: BundleReading) -> Bool { hasVersion(of: reading) || reading.bundle.name == bundleName }

  /// True when the lock file names a version of a bundle, by its hashes.
  func hasVersion(of reading: BundleReading) -> Bool { reading.hasVersion(of: Set(lock.entries.values.map(\.hashes))) }
}
