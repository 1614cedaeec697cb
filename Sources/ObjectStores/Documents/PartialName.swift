import Foundation
import PersistentStores

/// The names under which a file is written before it gets its own, such as `.notes.json.6F0C….partial`.
struct PartialName {
  let folder: String
  private let prefix: String
  private static let suffix = ".partial"

  init(of path: String) {
    let url = URL(fileURLWithPath: path)
    (folder, prefix) = (url.deletingLastPathComponent().path, ".\(url.lastPathComponent).")
  }

  /// A name that nothing has.
  func new() -> String { "\(folder)/\(prefix)\(UUID().uuidString)\(Self.suffix)" }

  /// Removes what programs left that were killed while they wrote the file: who writes it has the folder's lock.
  func removeLeftovers(_ files: any FileOperations, sparing spared: String? = nil) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard name.hasPrefix(prefix), name.hasSuffix(Self.suffix),
        UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(Self.suffix.count))) != nil,
        "\(folder)/\(name)" != spared
      else { continue }
      try? files.remove("\(folder)/\(name)")
    }
  }
}
