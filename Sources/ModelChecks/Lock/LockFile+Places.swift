import Foundation
import ModelFiles

extension LockFile {
  /// How the file calls a path: as it is seen from the file's own folder, wherever the program runs.
  func place(of path: String) -> String {
    let (base, parts) = (Self.components(BundlePath.parent(self.path)), Self.components(path))
    let shared = zip(parts, base).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: base.count - shared) + parts.dropFirst(shared)).joined(separator: "/")
  }

  /// The path here of what the file calls by a place.
  func path(of place: String) -> String {
    var parts = BundlePath.components(BundlePath.parent(path)).filter { $0 != "." }
    for part in BundlePath.components(place) where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  private static func components(_ path: String) -> [String] {
    URL(fileURLWithPath: path.isEmpty ? "." : path).standardizedFileURL.pathComponents
  }
}
