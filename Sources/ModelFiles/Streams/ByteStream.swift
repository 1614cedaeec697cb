import Foundation

/// The bytes of a file one after the other, with the line and column of the next byte; only a piece is in memory.
///
/// A byte order mark in front is passed over.
package final class ByteStream {
  private static let pieceSize = 1 << 16

  package let path: String
  private let descriptor: Int32
  private var piece = [UInt8](repeating: 0, count: pieceSize)
  private var (offset, end) = (0, 0)
  private var (line, column) = (1, 1)

  /// Opens a file.
  package init(_ path: String) throws(ModelFileError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unopened(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path: path, reason: "it is not a file")
    }
    try fill()
    if end >= 3, piece[0] == 0xEF, piece[1] == 0xBB, piece[2] == 0xBF { offset = 3 }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The location of the next byte.
  package var location: SourceLocation { SourceLocation(file: path, line: line, column: column) }

  /// The next byte, nil at the end.
  package func peek() throws(ModelFileError) -> UInt8? {
    if offset == end { try fill() }
    return offset < end ? piece[offset] : nil
  }

  package func skip() {
    guard offset < end else { return }
    let byte = piece[offset]
    offset += 1
    if byte == 0x0A {
      (line, column) = (line + 1, 1)
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }

  /// The next line without its end, nil after the last; one of more bytes than a limit is cut.
  package func nextLine(limit: Int) throws(ModelFileError) -> ArraySlice<UInt8>? {
    guard try peek() != nil else { return nil }
    var found: [UInt8] = []
    while true {
      let rest = piece[offset..<end]
      let stop = rest.firstIndex(of: 0x0A)
      if found.isEmpty, let stop {
        (offset, line, column) = (stop + 1, line + 1, 1)
        return piece[rest.startIndex..<stop]
      }
      found += rest[..<(stop ?? end)]
      offset = stop.map { $0 + 1 } ?? end
      guard stop == nil, found.count <= limit, try peek() != nil else { break }
    }
    (line, column) = (line + 1, 1)
    return found[...]
  }

  private func fill() throws(ModelFileError) {
    offset = 0
    repeat { end = read(descriptor, &piece, piece.count) } while end < 0 && errno == EINTR
    guard end >= 0 else {
      end = 0
      throw .unreadable(path: path, reason: ModelFileError.readingFailed)
    }
  }
}
