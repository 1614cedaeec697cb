import Foundation

extension ModelBundle {
  /// The deepest folder below the start that is looked into.
  static let discoveryDepth = 16
  /// The most folders that are looked into.
  static let discoveryLimit = 100_000

  /// Every bundle below a folder that can be used, sorted by path; a bundle inside a bundle belongs to that one.
  ///
  /// Hidden folders (`.git`, `.build`) are left out and links to folders are not followed.
  ///
  /// - Parameter folder: the path of the folder; it may be a bundle itself.
  /// - Returns: the bundles that ``init(at:)`` accepts.
  public static func discover(under folder: String) -> [ModelBundle] {
    bundlePaths(under: folder).compactMap { path in try? ModelBundle(at: path) }
  }

  /// The only bundle below a folder; the editor's bundles go before compiled ones.
  ///
  /// - Throws: ``ModelFileError/ambiguous(name:candidates:)`` when there are several, the cause when the only one cannot
  ///   be used, and ``ModelFileError/noBundle(folder:)`` when there is none.
  public static func only(under folder: String) throws(ModelFileError) -> ModelBundle {
    let paths = bundlePaths(under: folder)
    let editable = paths.filter { BundlePath.pathExtension($0).hasPrefix("xc") }
    let choice = editable.isEmpty ? paths : editable
    guard let first = choice.first else { throw .noBundle(folder: folder) }
    guard choice.count == 1 else { throw .ambiguous(name: folder, candidates: choice) }
    return try ModelBundle(at: first)
  }

  /// The paths of every bundle below a folder, usable or not, sorted.
  public static func bundlePaths(under folder: String) -> [String] {
    let start = BundlePath.trimmed(folder.isEmpty ? "." : folder)
    if Form(rawValue: BundlePath.pathExtension(start)) != nil { return [start] }
    var found: [String] = []
    var open: [(path: String, depth: Int)] = [(start, 0)]
    var visited = 0
    while let next = open.popLast(), visited < discoveryLimit {
      visited += 1
      for name in (try? FileManager.default.contentsOfDirectory(atPath: next.path)) ?? [] where !name.hasPrefix(".") {
        let path = next.path == "." ? name : BundlePath.joined(next.path, name)
        if let form = Form(rawValue: BundlePath.pathExtension(name)) {
          if form == .compiledSingle || isFolder(path) { found.append(path) }
        } else if next.depth < discoveryDepth, isFolder(path) {
          open.append((path, next.depth + 1))
        }
      }
    }
    return VersionOrder.sorted(found)
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
