import Foundation

/// The content of a file that is not an SQLite database.
public enum ForeignContent: Hashable, Sendable {
  /// An atomic store of Core Data: `XML` or `Binary`.
  ///
  /// Such a store is opened through its store type.
  case atomicStore(type: String)
  case xml
  case propertyList
  case text
  case archive
  case image
  /// Bytes without any structure, as encryption leaves them.
  case random
  case unknown

  /// Judges by the first bytes.
  ///
  /// - Parameter beginning: the first bytes of the file, up to 16 KiB.
  init(_ beginning: [UInt8]) {
    let text = String(decoding: beginning, as: UTF8.self)
    // A log of Core Data's messages begins so too.
    if beginning.starts(with: Array("CoreData".utf8)), !Self.isText(beginning) {
      self = .atomicStore(type: "Binary")
    } else if beginning.starts(with: Array("bplist0".utf8)) {
      self = .propertyList
    } else if beginning.starts(with: Array("<?xml".utf8)) {
      let isStore = text.contains("<!DOCTYPE database") || text.contains("<databaseInfo>")
      self = isStore ? .atomicStore(type: "XML") : text.contains("<!DOCTYPE plist") ? .propertyList : .xml
    } else if Self.archiveMarks.contains(where: { beginning.starts(with: $0) }) {
      self = .archive
    } else if Self.imageMarks.contains(where: { beginning.starts(with: $0) }) {
      self = .image
    } else if Self.isText(beginning) {
      self = .text
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

  /// True for UTF-8 without control characters; the last character may be cut off.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    let hasControls = bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    return !hasControls && (0...3).contains { String(bytes: bytes.dropLast($0), encoding: .utf8) != nil }
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
