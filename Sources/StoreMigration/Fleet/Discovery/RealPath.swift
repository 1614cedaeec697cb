import Foundation

/// A path with every symbolic link followed.
enum RealPath {
  /// Asks the file system.
  ///
  /// - Returns: nil when nothing is there.
  static func of(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }
}
