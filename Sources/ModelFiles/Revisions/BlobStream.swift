import Foundation

/// Reads what `git cat-file --batch` prints: for each object a line `hash SP type SP size`, its bytes and a newline.
struct BlobStream {
  /// What stands where an object should.
  enum Fault: Error {
    case missing
    case tooLarge
    case torn
  }

  private let handle: FileHandle
  private var buffer = Data()

  init(_ handle: FileHandle) { self.handle = handle }

  /// The bytes of the next object, if it has no more than these.
  mutating func next(limit: Int) throws(Fault) -> Data {
    let header = try line().split(separator: " ")
    if header.last == "missing" { throw .missing }
    guard header.count == 3, header[1] == "blob", let size = Int(header[2]), size >= 0 else { throw .torn }
    guard size <= limit else { throw .tooLarge }
    while buffer.count <= size { try fill() }
    let start = buffer.startIndex
    let bytes = Data(buffer[start..<start + size])
    buffer.removeFirst(size + 1)
    return bytes
  }

  /// A header; none is longer than a hash, a word and a number.
  private mutating func line() throws(Fault) -> String {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(buffer.distance(from: buffer.startIndex, to: end) + 1)
        return line
      }
      guard buffer.count < 200 else { throw .torn }
      try fill()
    }
  }

  private mutating func fill() throws(Fault) {
    let more = handle.availableData
    guard !more.isEmpty else { throw .torn }
    buffer.append(more)
  }
}
