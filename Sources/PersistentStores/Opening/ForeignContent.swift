import Foundation
import ModelFiles

/// The content of a file that is not an SQLite database.
public enum ForeignContent: Hashable, Sendable {
  /// An atomic store of Core Data: `XML` or `Binary`.
  ///
  /// Such a store is opened through its store type.
  case atomicStore(type: String)
  case xml
  case propertyList
  case text
  /// Source code in Swift, such as the `@Model` classes of an app.
  case swiftSource
  case archive
  case image
  /// Bytes without any structure, as encryption leaves them.
  case random
  /// An SQLite database without its header: later pages are pages of tables or indexes.
  case damagedHeader
  case unknown

  /// Judges by the first bytes.
  ///
  /// - Parameters:
  ///   - beginning: the first bytes of the file, up to 16 KiB.
  ///   - path: the path of the file.
  ///   - size: the number of bytes in the file.
  init(_ beginning: [UInt8], path: String, size: Int64) {
    let text = String(decoding: beginning, as: UTF8.self)
    // A log of Core Data's messages begins so too.
    if beginning.starts(with: Array("CoreData".utf8)), !Self.isText(beginning) {
      self = .atomicStore(type: "Binary")
    } else if beginning.starts(with: Array("bplist0".utf8)) {
      self = .propertyList
    } else if ["<?xml", "<model"].contains(where: { beginning.starts(with: Array($0.utf8)) }) {
      let isStore = text.contains("<!DOCTYPE database") || text.contains("<databaseInfo>")
      self = isStore ? .atomicStore(type: "XML") : text.contains("<!DOCTYPE plist") ? .propertyList : .xml
    } else if Self.isUTF16(beginning) {
      self = (String(bytes: beginning.prefix(12), encoding: .utf16) ?? "").hasPrefix("<?xml") ? .xml : .text
    } else if Self.archiveMarks.contains(where: { beginning.starts(with: $0) }) {
      self = .archive
    } else if Self.imageMarks.contains(where: { beginning.starts(with: $0) }) {
      self = .image
    } else if Self.isText(beginning) {
      self = SwiftDataSources.isFile(path) ? .swiftSource : .text
    } else if Self.hasPages(beginning, size: size) {
      self = .damagedHeader
    } else if Self.isRandom(beginning) {
      self = .random
    } else {
      self = .unknown
    }
  }

  /// The first bytes of zip, gzip, xz, zstd and bzip2 files.
  private static let archiveMarks: [[UInt8]] = [
    [0x50, 0x4B, 0x03, 0x04], [0x1F, 0x8B], [0xFD, 0x37, 0x7A, 0x58], [0x28, 0xB5, 0x2F, 0xFD], [0x42, 0x5A, 0x68],
  ]
  /// The first bytes of JPEG, PNG and GIF files.
  private static let imageMarks: [[UInt8]] = [
    [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], [0x47, 0x49, 0x46, 0x38],
  ]

  /// True for text in UTF-16 with its byte order mark.
  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }

  /// True for UTF-8 without control characters; the last character may be cut off.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    let hasControls = bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    return !hasControls && (0...3).contains { String(bytes: bytes.dropLast($0), encoding: .utf8) != nil }
  }

  /// True if a page after the first begins as a page of a table or an index does, for any page size.
  private static func hasPages(_ bytes: [UInt8], size: Int64) -> Bool {
    (9...13).map { 1 << $0 }.contains { pageSize in
      size % Int64(pageSize) == 0
        && stride(from: pageSize, to: bytes.count - 8, by: pageSize).contains { start in
          let page = bytes[start...].prefix(8).map { Int($0) }
          let (cells, content) = (page[3] << 8 | page[4], page[5] << 8 | page[6])
          return [2, 5, 10, 13].contains(page[0]) && cells * 2 + 8 <= content && content <= pageSize && page[7] <= 60
        }
    }
  }

  /// True when the bytes are spread as evenly as ciphertext: more than 7.5 bits of entropy a byte.
  private static func isRandom(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 1024 else { return false }
    var counts = [Int](repeating: 0, count: 256)
    for byte in bytes { counts[Int(byte)] += 1 }
    let total = Double(bytes.count)
    let entropy = counts.filter { $0 > 0 }.reduce(0.0) { sum, count in
      let share = Double(count) / total
      return sum - share * log2(share)
    }
    return entropy > 7.5
  }
}
