public import Foundation

/// A folder for one test, removed with the value.
public final class TemporaryFolder: Sendable {
  /// The folder's place.
  public let url: URL

  /// Creates an empty folder with a unique name.
  public init() throws {
    url = Self.system.appendingPathComponent("modelctl-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// The system's folder by the path that leads there without links, as macOS has one on the way.
  private static let system: URL = {
    let folder = FileManager.default.temporaryDirectory
    guard let path = realpath(folder.path, nil) else { return folder }
    defer { free(path) }
    return URL(fileURLWithPath: String(cString: path), isDirectory: true)
  }()

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
