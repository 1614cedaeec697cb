import Foundation
import ModelDescription
import ModelFiles

/// Paths as services that show findings want them: from this folder, without a leading `./`.
package enum RelativePath {
  /// Writes a path, or what may stand for one such as `Orders@v2` and `REV:path`.
  ///
  /// - Parameters:
  ///   - path: the path as it was given.
  ///   - folder: the absolute path of the folder to start from.
  /// - Returns: a relative path to the same place.
  package static func text(_ path: String, from folder: String = FileManager.default.currentDirectoryPath) -> String {
    let parts = BundlePath.components(path).filter { $0 != "." }
    guard path.hasPrefix("/"), !parts.contains("..") else { return parts.isEmpty ? path : parts.joined(separator: "/") }
    let base = BundlePath.components(folder)
    let shared = zip(parts, base).prefix { $0 == $1 }.count
    let steps = Array(repeating: "..", count: base.count - shared) + parts.dropFirst(shared)
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }
}
