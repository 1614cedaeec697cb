import Foundation
import PersistentStores

/// What the operating system answers when it does not do something to a file.
package struct FileError: Error, Hashable, Sendable {
  /// The number of the error, as in `errno`.
  package let code: Int32

  /// Makes a fault of a number.
  package init(code: Int32) { self.code = code }

  /// The fault of the last call.
  static var last: FileError { FileError(code: errno) }

  /// The system's words.
  var words: String { String(cString: strerror(code)) }

  /// The error of a migration.
  ///
  /// - Parameters:
  ///   - path: what could not be written.
  ///   - purpose: what could not be done, such as `the backup cannot be made`.
  /// - Returns: a ``MigrationError``, or that the disk is full.
  func error(path: String, _ purpose: String) -> any Error {
    code == ENOSPC || code == EDQUOT
      ? StoreError.diskFull(path: path) : MigrationError.file(path: path, detail: "\(purpose): \(words)")
  }
}
