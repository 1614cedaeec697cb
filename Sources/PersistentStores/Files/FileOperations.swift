package import Foundation

/// What a migration does to files beside SQLite's own work.
///
/// ``SystemFiles`` does it; a test puts something in its place that fails, or forgets what was not synchronised.
package protocol FileOperations: Sendable {
  /// Makes an empty file with the owner and the mode of another, as far as the user may give files away.
  ///
  /// - Parameter model: the other file; nil for the user's own owner and mode.
  /// - Returns: which file it is, whatever has its name later.
  func create(_ path: String, like model: String?) throws(FileError) -> FileIdentity

  /// Makes a folder, if none is there.
  ///
  /// - Parameter model: a folder of which a new one gets the owner and the mode; nil for the user's own.
  func createFolder(_ path: String, like model: String?) throws(FileError)

  /// Makes a file with content, which is not synchronised.
  ///
  /// - Parameter model: a file of which it gets the owner and the mode; nil for the user's own.
  func write(_ data: Data, to path: String, like model: String?) throws(FileError)

  /// Writes more content behind that of a file, which is not synchronised.
  func append(_ data: Data, to path: String) throws(FileError)

  /// Gives a file a second name.
  func link(_ path: String, to name: String) throws(FileError)

  /// Gives a file another name, in one step; what had that name has it no more.
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

/// What the operating system answers when it does not do something to a file.
package struct FileError: Error, Hashable, Sendable {
  /// The number of the error, as in `errno`.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  static var last: FileError { FileError(code: errno) }

  package var words: String { String(cString: strerror(code)) }
}
