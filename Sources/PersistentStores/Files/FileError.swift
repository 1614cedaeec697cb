import Foundation

/// What the operating system answers when it does not do something to a file.
package struct FileError: Error, Hashable, Sendable {
  /// The number of the error, as in `errno`.
  package let code: Int32

  /// Makes an error of a number.
  package init(code: Int32) { self.code = code }

  /// The error of the last call.
  static var last: FileError { FileError(code: errno) }

  /// The system's words.
  package var words: String { String(cString: strerror(code)) }
}
