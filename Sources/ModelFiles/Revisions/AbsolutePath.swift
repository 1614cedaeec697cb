import Foundation

/// Paths from the root, with their links resolved as far as they exist.
enum AbsolutePath {
  /// The components of a path after the root.
  static func components(_ path: String) -> [String] {
    var existing = URL(fileURLWithPath: path).standardizedFileURL
    var missing: [String] = []
    while existing.path != "/", !FileManager.default.fileExists(atPath: existing.path) {
      missing.append(existing.lastPathComponent)
      existing.deleteLastPathComponent()
    }
    let parts = BundlePath.components(existing.resolvingSymlinksInPath().path)
    return parts + missing.reversed()
  }
}
