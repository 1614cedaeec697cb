import Foundation

/// A folder of this process with an input as a file; leftovers of an input are removed before the next input.
enum FuzzFolder {
  private static let url: URL = {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-fuzz-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    atexit { FuzzFolder.remove() }
    return url
  }()

  private static func remove() { try? FileManager.default.removeItem(at: url) }

  /// Runs with the path of a new folder.
  static func with(_ body: (String) throws -> Void) throws {
    let folder = url.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }
}
