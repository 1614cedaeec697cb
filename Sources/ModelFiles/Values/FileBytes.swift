package import Foundation

/// Reads complete files of a limited size.
package enum FileBytes {
  /// The most bytes a model file may have: ten times the largest ever seen.
  package static let limit = 16 << 20

  package static func read(_ path: String, limit: Int = limit) throws(ModelFileError) -> Data {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .unopened(path) }
    try check(status, path, limit)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unopened(path) }
    defer { close(descriptor) }
    // Another file may lie there by now.
    guard fstat(descriptor, &status) == 0 else { throw .unopened(path) }
    try check(status, path, limit)
    return try bytes(of: descriptor, size: Int(status.st_size), path)
  }

  /// Reads a file of any size.
  ///
  /// - Throws: `POSIXError`, also for a pipe and other paths that are not files.
  package static func whole(_ path: String) throws(POSIXError) -> Data {
    var status = stat()
    let descriptor = try descriptor(path, &status)
    defer { close(descriptor) }
    do {
      return try bytes(of: descriptor, size: Int(status.st_size), path)
    } catch .empty {
      return Data()
    } catch {
      throw POSIXError(.EIO)
    }
  }

  /// Reads a file piece by piece, each but the last of one size.
  ///
  /// - Parameter body: takes a piece; false to read no more.
  /// - Returns: whether all of the file was read.
  /// - Throws: `POSIXError`, as ``whole(_:)``.
  package static func forEachPiece(
    of path: String, size: Int, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(POSIXError) -> Bool {
    var status = stat()
    let descriptor = try descriptor(path, &status)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: size)
    var filled = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { buffer in
        Foundation.read(descriptor, buffer.baseAddress.map { $0 + filled }, size - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw POSIXError(.EIO) }
      filled += count
      guard filled == size || count == 0 else { continue }
      if filled > 0, !buffer.withUnsafeBytes({ body(UnsafeRawBufferPointer(rebasing: $0[..<filled])) }) { return false }
      if count == 0 { return true }
      filled = 0
    }
  }

  /// Returns whether two files have the same bytes.
  ///
  /// - Throws: `POSIXError`, as ``whole(_:)``.
  package static func areSame(_ first: String, _ second: String) throws(POSIXError) -> Bool {
    var status = stat()
    let other = try descriptor(second, &status)
    defer { close(other) }
    let size = 1 << 20
    var buffer = [UInt8](repeating: 0, count: size)
    var rest = Int(status.st_size)
    let isWhole = try forEachPiece(of: first, size: size) { piece in
      rest -= piece.count
      return rest >= 0
        && buffer.withUnsafeMutableBytes { buffer in
          var filled = 0
          while filled < piece.count {
            let count = Foundation.read(other, buffer.baseAddress.map { $0 + filled }, piece.count - filled)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            filled += count
          }
          guard let read = buffer.baseAddress, let start = piece.baseAddress else { return false }
          return memcmp(read, start, piece.count) == 0
        }
    }
    return isWhole && rest == 0
  }

  /// Opens a file for reading; nil if it cannot be read or does not exist.
  package static func handle(_ path: String) -> FileHandle? {
    var status = stat()
    return (try? descriptor(path, &status)).map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) }
  }

  private static func descriptor(_ path: String, _ status: inout stat) throws(POSIXError) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      close(descriptor)
      throw POSIXError(isFolder ? .EISDIR : .EINVAL)
    }
    return descriptor
  }

  private static func check(_ status: stat, _ path: String, _ limit: Int) throws(ModelFileError) {
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(path: path, reason: "it is not a file") }
    guard status.st_size > 0 else { throw .empty(path: path) }
    guard status.st_size <= limit else { throw .tooLarge(path: path, what: "its size in bytes", limit: limit) }
  }

  /// The bytes of an open file, up to its size when it was opened.
  private static func bytes(of descriptor: Int32, size: Int, _ path: String) throws(ModelFileError) -> Data {
    var data = Data(count: size)
    let count = data.withUnsafeMutableBytes { buffer -> Int? in
      var filled = 0
      while filled < size, let start = buffer.baseAddress {
        let count = Foundation.read(descriptor, start + filled, size - filled)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return nil }
        if count == 0 { break }
        filled += count
      }
      return filled
    }
    guard let count else { throw .unreadable(path: path, reason: ModelFileError.readingFailed) }
    guard count > 0 else { throw .empty(path: path) }
    return count == size ? data : data.prefix(count)
  }
}

extension FileBytes {
  private static let pieceSize = 1 << 16

  /// True for bytes in UTF-8, which are checked in pieces to avoid a copy.
  static func isUTF8(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while start < bytes.count {
      var end = min(start + pieceSize, bytes.count)
      // A piece ends where a character does.
      while end < bytes.count, end > start, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      guard end > start, String(validating: bytes[start..<end], as: UTF8.self) != nil else { return false }
      start = end
    }
    return true
  }
}
