import AtomicStores
import Foundation
import ModelFiles
import StoreRows

/// The stream of a dump, which collects bytes and writes them in larger pieces.
struct DumpStream {
  /// The bytes that are not written yet.
  var text = ByteText()
  /// The number of bytes of a piece.
  private var handedOn = 0
  private let sink: ([UInt8]) throws -> Void

  private static let size = 1 << 17
  /// A size that Base64 encodes without padding.
  private static let filePart = 3 << 14

  init(_ sink: @escaping ([UInt8]) throws -> Void) { self.sink = sink }

  /// The number of written bytes.
  var total: Int { handedOn + text.count }

  /// Writes the collected bytes if there are enough of them.
  mutating func flushIfFull() throws { if text.count >= Self.size { try flush() } }

  mutating func flush() throws {
    guard text.count > 0 else { return }
    try sink(text.bytes)
    handedOn += text.count
    text.removeAll()
  }

  /// Appends the content of a file piece by piece; false when the file is empty.
  mutating func append(file path: String, _ append: (inout ByteText, UnsafeRawBufferPointer) -> Void) throws -> Bool {
    guard let handle = FileBytes.handle(path) else { throw DumpError.fileMissing(path: path) }
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

/// The handling of values whose file of external data is missing.
final class MissingFiles {
  /// The number of values that were left empty.
  private(set) var count = 0
  private let leavesEmpty: Bool

  init(leavesEmpty: Bool) { self.leavesEmpty = leavesEmpty }

  /// Whether a file is missing and its value is left empty.
  func passesOver(_ path: String) -> Bool {
    guard leavesEmpty, !FileManager.default.fileExists(atPath: path) else { return false }
    count += 1
    return true
  }
}
