import Foundation
import ModelFiles
import PersistentStores
import VersionHashing

/// A lock file that has no bundle beside it.
struct StrayLock {
  let lock: LockFile
  /// Where its bundle was.
  let bundlePath: String

  /// The name that its bundle had.
  var bundleName: String { BundlePath.stem(bundlePath) }

  /// Where the lock file begins to say what was released.
  var location: SourceLocation { lock.location ?? SourceLocation(file: lock.path, line: 1, column: 1) }

  /// The versions that it says are released, in their natural order.
  var releasedVersions: [String] { lock.sortedEntries(.released).map(\.key) }

  /// Takes a file; nil for one that is not ours, or whose bundle is there.
  private init?(_ path: String) {
    let stem = path.dropLast(Self.suffix.count)
    let forms = [ModelBundle.Form.versioned, .single]
    guard !forms.contains(where: { FileManager.default.fileExists(atPath: "\(stem).\($0.rawValue)") }),
      let lock = try? LockFile(contentsOf: path)
    else { return nil }
    self.lock = lock
    bundlePath = "\(stem).\(ModelBundle.Form.versioned.rawValue)"
  }

  private static let suffix = ".lock.json"

  /// Every stray lock file below folders, sorted.
  static func find(under folders: [String]) -> [StrayLock] {
    var seen: Set<String> = []
    return VersionOrder.sorted(folders.flatMap(paths).filter { seen.insert($0).inserted })
      .compactMap { StrayLock($0) }
  }

  /// Whether a bundle without a lock file continues the one that this belongs to: it has a version of it, or, where no
  /// other has, its name.
  func isOf(_ reading: BundleReading) -> Bool {
    hasVersion(of: reading) || reading.bundle.name == bundleName
  }

  /// True when the lock file names a version of a bundle, by its hashes.
  func hasVersion(of reading: BundleReading) -> Bool {
    let hashes = Set(lock.entries.values.map(\.hashes))
    return reading.usable.contains { hashes.contains($0.known.versionHashes) }
  }

  /// The lock files below a folder, to a depth at which no project keeps one.
  private static func paths(under folder: String) -> [String] {
    let start = BundlePath.trimmed(folder.isEmpty ? "." : folder)
    guard ModelBundle.Form(rawValue: BundlePath.pathExtension(start)) == nil,
      let names = FileManager.default.enumerator(atPath: start)
    else { return [] }
    var found: [String] = []
    var visited = 0
    while let name = names.nextObject() as? String, visited < 100_000 {
      visited += 1
      let last = BundlePath.lastComponent(name)
      if last.hasPrefix(".") || names.level > 16 || ModelBundle.Form(rawValue: BundlePath.pathExtension(last)) != nil {
        names.skipDescendants()
      } else if last.hasSuffix(suffix) {
        found.append(start == "." ? name : BundlePath.joined(start, name))
      }
    }
    return found
  }
}
