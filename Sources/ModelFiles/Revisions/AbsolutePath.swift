import Foundation

/// Paths from the root, with their links resolved as far as they exist.
package enum AbsolutePath {
  /// The components of a path after the root.
  package static func components(_ path: String) -> [String] {
    var existing = URL(fileURLWithPath: path).standardizedFileURL
    var missing: [String] = []
    while existing.path != "/", !FileManager.default.fileExists(atPath: existing.path) {
      missing.append(existing.lastPathComponent)
      existing.deleteLastPathComponent()
    }
    let parts = BundlePath.components(existing.resolvingSymlinksInPath().path)
    return parts + missing.reversed()
  }

  /// The path from one folder to what has these components.
  ///
  /// - Parameters:
  ///   - components: where it leads, from the root.
  ///   - base: where it begins; the folder in which the program runs otherwise.
  /// - Returns: the path, `.` for the folder itself.
  static func relative(_ components: [String], from base: [String] = AbsolutePath.components(".")) -> String {
    let common = zip(base, components).prefix { $0 == $1 }.count
    let steps = Array(repeating: "..", count: base.count - common) + components.dropFirst(common)
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }
}
