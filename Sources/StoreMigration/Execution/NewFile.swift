import Foundation

/// Makes files in folders that others may write as well.
enum NewFile {
  /// Makes an empty file that only its owner may open.
  ///
  /// What is there already, be it a link that somebody put in the way, is neither followed nor taken over.
  static func create(_ path: String) throws(MigrationError) {
    let descriptor = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_WRONLY, 0o600)
    guard descriptor >= 0 else {
      throw .file(path: path, detail: "a copy cannot be written beside the store: \(String(cString: strerror(errno)))")
    }
    close(descriptor)
  }
}
