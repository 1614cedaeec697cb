package import Foundation

/// The file operations of a migration, except those of SQLite.
///
/// ``SystemFiles`` implements them; a test uses an implementation that fails or loses unsynchronized data.
package protocol FileOperations: Sendable {
  /// Creates an empty file with the owner and the mode of a different file, as far as the user may change them.
  ///
  /// - Parameter model: the other file; nil for the user's own owner and mode.
  /// - Returns: the identity of the file, even if a different file gets its name later.
  func create(_ path: String, like model: String?) throws(FileError) -> FileIdentity

  /// Creates a folder if it does not exist.
  ///
  /// - Parameter model: a folder whose owner and mode a new folder gets; nil for the user's own.
  func createFolder(_ path: String, like model: String?) throws(FileError)

  /// Creates a file with content, without synchronizing it.
  ///
  /// - Parameter model: a file whose owner and mode it gets; nil for the user's own.
  func write(_ data: Data, to path: String, like model: String?) throws(FileError)

  /// Writes more content behind that of a file, which is not synchronised.
  func append(_ data: Data, to path: String) throws(FileError)

  /// Gives a file a second name.
  func link(_ path: String, to name: String) throws(FileError)

  /// Renames a file atomically; a file that had the new name is replaced.
  func rename(_ path: String, to name: String) throws(FileError)

  /// Removes a file, or a folder that is empty.
  func remove(_ path: String) throws(FileError)

  /// Writes a file's content, or a folder's names, to the disk.
  func synchronize(_ path: String) throws(FileError)
}

extension FileOperations {
  package func createFolder(_ path: String) throws(FileError) { try createFolder(path, like: nil) }

  package func write(_ data: Data, to path: String) throws(FileError) { try write(data, to: path, like: nil) }
}

/// An error of the operating system in a file operation.
package struct FileError: Error, Hashable, Sendable {
  /// The number of the error, as in `errno`.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  static var last: FileError { FileError(code: errno) }

  package var words: String { String(cString: strerror(code)) }
}
