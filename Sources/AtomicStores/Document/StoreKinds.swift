import Foundation

/// The kinds of stores that are known.
public enum StoreKinds {
  /// Those that come with the library.
  public static let builtIn: [any StoreKind] = []

  /// The kind of a file, by how it begins.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - kinds: the kinds that it may be of.
  /// - Returns: nil for a SQLite store, and for a file of no kind.
  public static func kind(ofFile path: String, among kinds: [any StoreKind]) -> (any StoreKind)? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    guard let start = try? handle.read(upToCount: 4096), !start.isEmpty else { return nil }
    return kinds.first { $0.recognizes(start) }
  }
}
