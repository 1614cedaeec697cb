import Foundation

/// Moves of files that survive a power cut.
enum DurableFile {
  /// Writes a file's content, or a folder's entries, to the disk.
  static func synchronize(_ path: String) throws {
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      try handle.synchronize()
      try handle.close()
    } catch {
      throw MigrationError.file(path: path, detail: "it cannot be written to the disk: \(error)")
    }
  }

  /// Gives a file a second name, so that it outlives the replacement of the first.
  static func keep(_ path: String, as name: String) throws {
    guard link(path, name) == 0 else {
      throw MigrationError.file(path: name, detail: "the backup cannot be made: \(String(cString: strerror(errno)))")
    }
  }

  /// Puts a file in the place of another in one step.
  ///
  /// When the rename is done the new file is there; a folder that cannot be synchronised then is no failure, because a
  /// power cut leaves the one file or the other.
  static func replace(_ path: String, with other: String) throws {
    guard rename(other, path) == 0 else {
      throw MigrationError.file(path: path, detail: "it cannot be replaced: \(String(cString: strerror(errno)))")
    }
    try? synchronize(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }
}
