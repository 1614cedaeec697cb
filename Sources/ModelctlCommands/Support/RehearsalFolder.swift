import Foundation

/// The folder in which a rehearsal makes its stores: a temporary one, or one that somebody wants to keep.
struct RehearsalFolder {
  private let url: URL
  private let isTemporary: Bool

  /// Makes the folder.
  ///
  /// - Parameter path: a folder to keep, which must be new or empty; nil for a temporary one.
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  init(keeping path: String?) throws(CommandError) {
    isTemporary = path == nil
    url =
      path.map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-rehearse-\(UUID().uuidString)")
    if let path, let names = try? FileManager.default.contentsOfDirectory(atPath: path), !names.isEmpty {
      throw .unwritable(path: path, reason: "the folder is not empty; name another")
    }
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(path ?? url.path, error)
    }
  }

  /// A folder in it, or itself.
  ///
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func subfolder(_ name: String?) throws(CommandError) -> String {
    guard let name else { return url.path }
    let place = url.appendingPathComponent(name)
    do {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(place.path, error)
    }
    return place.path
  }

  /// Removes a temporary folder with everything in it.
  func remove() {
    if isTemporary { try? FileManager.default.removeItem(at: url) }
  }
}
