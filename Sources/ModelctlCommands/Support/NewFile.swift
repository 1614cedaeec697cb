import Foundation
import ModelKit

/// Writes a file that must not be there yet.
enum NewFile {
  /// Writes a file, with the folders on its way.
  ///
  /// - Throws: ``CommandError`` where something has the name, and when it cannot be written.
  static func write(_ text: String, to path: String) throws(CommandError) {
    guard !FileManager.default.fileExists(atPath: path) else { throw .fileExists(path: path) }
    do {
      try FileManager.default.createDirectory(
        atPath: BundlePath.parent(path), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    } catch {
      throw CommandError.unwritable(path, error)
    }
  }
}
