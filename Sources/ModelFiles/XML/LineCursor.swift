import Foundation

/// Turns positions in a text's bytes into lines and columns, going forward only, so that a whole file costs one pass.
struct LineCursor {
  private let bytes: [UInt8]
  private let file: String
  private var offset = 0
  private var line = 1
  private var column = 1

  init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  /// The place of the nearest `<` before a position inside a start tag, where no other can stand.
  mutating func startTag(before position: Int) -> SourceLocation {
    var start = min(max(position, 0), bytes.count - 1)
    while start > offset, bytes[start] != UInt8(ascii: "<") { start -= 1 }
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, offset < start else { return }
      while let newline = memchr(base + offset, 0x0A, start - offset) {
        offset = base.distance(to: newline) + 1
        (line, column) = (line + 1, 1)
      }
      for byte in buffer[offset..<start] where byte & 0xC0 != 0x80 { column += 1 }
      offset = start
    }
    return SourceLocation(file: file, line: line, column: column)
  }

  /// The first line that begins as git's conflict markers do.
  var conflictMarker: SourceLocation? {
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      for marker in ["<<<<<<< ", ">>>>>>> "] where line.starts(with: marker.utf8) {
        return SourceLocation(file: file, line: number + 1, column: 1)
      }
    }
    return nil
  }
}
