public import Foundation

/// A folder for one test, removed with the value.
public final class TemporaryFolder: Sendable {
  /// The folder's place.
  public let url: URL

  /// Makes an empty folder of a name nobody else has.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
