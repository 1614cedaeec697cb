import Foundation

/// Where a path leads.
package enum RealPath {
  /// The absolute path with every link followed, as the system opens it.
  ///
  /// Foundation takes `link/..` for the folder of the link; the system goes up from where the link leads.
  ///
  /// - Parameter path: a path.
  /// - Returns: the path itself, made absolute, when it leads to nothing.
  package static func of(_ path: String) -> String {
    existing(path) ?? URL(fileURLWithPath: path).path
  }

  /// The same for a path that leads to something, else nil.
  package static func existing(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(validatingCString: resolved)
  }
}
