import AtomicStores
import Foundation
import StoreRows

/// A dump on its way out: what is written is kept until there is enough of it to hand on.
struct DumpStream {
  /// What is not handed on yet.
  var text = ByteText()
  /// How many bytes are handed on.
  private var handedOn = 0
  /// Takes the bytes.
  private let sink: ([UInt8]) throws -> Void

  private static let size = 1 << 17
  /// Base64 makes whole groups of it.
  private static let filePart = 3 << 14

  init(_ sink: @escaping ([UInt8]) throws -> Void) { self.sink = sink }

  /// How many bytes were written.
  var total: Int { handedOn + text.count }

  /// Hands on what there is, when it is enough.
  mutating func flushIfFull() throws { if text.count >= Self.size { try flush() } }

  /// Hands on what there is.
  mutating func flush() throws {
    guard text.count > 0 else { return }
    try sink(text.bytes)
    handedOn += text.count
    text.removeAll()
  }

  /// Appends the content of a file piece by piece.
  ///
  /// - Returns: false when the file is empty.
  /// - Throws: `RecordWritingError` for a file that is not there.
  mutating func append(
    file path: String, _ append: (inout ByteText, UnsafeRawBufferPointer) -> Void
  ) throws -> Bool {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw RecordWritingError.externalFileMissing(path: path)
    }
    defer { try? handle.close() }
    var isEmpty = true
    while let part = try handle.read(upToCount: Self.filePart), !part.isEmpty {
      isEmpty = false
      part.withUnsafeBytes { append(&text, $0) }
      try flushIfFull()
    }
    return !isEmpty
  }
}
