import Foundation
import ModelFiles
import PersistentStores
import VersionHashing

/// A lock file without a bundle beside it.
struct OrphanedLock {
  let lock: LockFile
  let bundlePath: String

  var bundleName: String { BundlePath.stem(bundlePath) }

  /// The location of the list of versions.
  var location: SourceLocation { lock.location ?? SourceLocation(file: lock.path, line: 1, column: 1) }

  /// The released versions in their natural order.
  var releasedVersions: [String] { lock.sortedEntries(.released).map(\.key) }

  /// Reads a file; nil for a file of a different format, and for a lock file whose bundle exists, but not as a link.
  private static func read(_ path: String) -> OrphanedLock? {
    let stem = path.dropLast(ProjectFiles.lockSuffix.count)
    let forms = [ModelBundle.Form.versioned, .single]
    let bundles = forms.map { "\(stem).\($0.rawValue)" }.filter(FileManager.default.fileExists(atPath:))
    guard !bundles.contains(where: { LockFile.path(besideBundleAt: $0) == path }),
      let lock = try? LockFile(contentsOf: path)
    else { return nil }
    return OrphanedLock(lock: lock, bundlePath: "\(stem).\(ModelBundle.Form.versioned.rawValue)")
  }

  /// Every orphaned lock file below folders, sorted.
  static func find(under folders: [String], _ search: ProjectSearch) -> [OrphanedLock] {
    var seen: Set<String> = []
    return VersionOrder.sorted(folders.flatMap { search.files(under: $0).locks }.filter { seen.insert($0).inserted })
      .compactMap(read)
  }

  /// True if a bundle without a lock file continues the bundle of this lock file: it has one of its versions or its name.
  func isOf(_ reading: ReadBundle) -> Bool { hasVersion(of: reading) || reading.bundle.name == bundleName }

  /// True if the lock file has a version of a bundle, by its hashes.
  func hasVersion(of reading: ReadBundle) -> Bool { reading.hasVersion(of: Set(lock.entries.values.map(\.hashes))) }
}
