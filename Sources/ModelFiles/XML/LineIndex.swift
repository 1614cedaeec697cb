/// Turns positions in a text's bytes into lines and columns.
struct LineIndex {
  private let bytes: [UInt8]
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    starts = [0] + bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// The place of the nearest `<` before a position inside a start tag, where no other can stand.
  func startTag(before position: Int, in file: String) -> SourceLocation {
    var offset = min(max(position, 0), bytes.count - 1)
    while offset > 0, bytes[offset] != UInt8(ascii: "<") { offset -= 1 }
    return location(of: offset, in: file)
  }

  func location(of offset: Int, in file: String) -> SourceLocation {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    let scalars = bytes[starts[low]..<max(offset, starts[low])].lazy.filter { $0 & 0xC0 != 0x80 }.count
    return SourceLocation(file: file, line: low + 1, column: scalars + 1)
  }

  /// The first line that begins as git's conflict markers do.
  func conflictMarker(in file: String) -> SourceLocation? {
    for (line, start) in starts.enumerated() {
      let head = bytes[start...].prefix(8)
      for marker in ["<<<<<<< ", ">>>>>>> "] where head.elementsEqual(marker.utf8) {
        return SourceLocation(file: file, line: line + 1, column: 1)
      }
    }
    return nil
  }
}
