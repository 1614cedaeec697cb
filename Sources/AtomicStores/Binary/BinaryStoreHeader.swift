import Foundation

/// The first 64 bytes of a binary store, with the positions of its two archives.
struct BinaryStoreHeader {
  static let size = 64
  static let magic = Data("CoreData".utf8)
  /// The number in every store, binary or XML.
  private static let version: UInt64 = 134_481_920

  let metadata: Range<Int>
  let objects: Range<Int>
  /// The last used key.
  let highest: Int64

  init(objectsSize: Int, metadataSize: Int, highest: Int64) {
    objects = Self.size..<Self.size + objectsSize
    metadata = objects.upperBound..<objects.upperBound + metadataSize
    self.highest = highest
  }

  /// Reads the header, and checks all of its numbers.
  ///
  /// - Parameters:
  ///   - bytes: the first bytes of the file.
  ///   - count: the number of bytes of the file.
  init(_ bytes: Data, count: Int, path: String) throws {
    func fail(_ byte: Int, _ cause: String) -> StoreDocumentError {
      StoreDocumentError(path: path, .byte(byte), .malformed(cause))
    }
    guard bytes.starts(with: Self.magic) else { throw fail(0, "the file does not begin with “CoreData”") }
    guard bytes.count >= Self.size else { throw fail(bytes.count, "the file ends within its header of 64 bytes") }
    func number(_ offset: Int, _ size: Int) -> UInt64 {
      bytes.dropFirst(offset).prefix(size).reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard number(8, 4) == 1 else { throw fail(8, "the format of the file is \(number(8, 4)) instead of 1") }
    guard number(12, 4) == Self.version else {
      throw fail(12, "the version of the file is \(number(12, 4)) instead of \(Self.version)")
    }
    func range(_ offset: Int, _ what: String) throws -> Range<Int> {
      let (start, size) = (number(offset, 8), number(offset + 8, 8))
      guard start >= UInt64(Self.size), start <= UInt64(count) else {
        throw fail(offset, "the archive of the \(what) begins at byte \(start), but the file has \(count) bytes")
      }
      guard size <= UInt64(count) - start else {
        throw fail(offset + 8, "the archive of the \(what) has \(size) bytes, more than the file")
      }
      return Int(start)..<Int(start + size)
    }
    metadata = try range(16, "metadata")
    objects = try range(32, "objects")
    guard !metadata.overlaps(objects) else { throw fail(16, "the two archives overlap") }
    let end = max(metadata.upperBound, objects.upperBound)
    guard end == count else { throw fail(end, "the file has more bytes after its last archive") }
    guard let highest = Int64(exactly: number(48, 8)) else {
      throw fail(48, "the last key is \(number(48, 8)), which is not a valid key")
    }
    self.highest = highest
  }

  var bytes: Data {
    var bytes = Self.magic
    func append(_ number: UInt64, _ size: Int) {
      for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
    }
    append(1, 4)
    append(Self.version, 4)
    for number in [metadata.lowerBound, metadata.count, objects.lowerBound, objects.count] {
      append(UInt64(number), 8)
    }
    append(UInt64(highest), 8)
    append(0, 8)
    return bytes
  }
}
