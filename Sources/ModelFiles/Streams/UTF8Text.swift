/// Bytes that stand for text.
enum UTF8Text {
  private static let pieceSize = 1 << 16

  /// True for bytes in UTF-8; no copy is made of all of them.
  static func isValid(_ bytes: [UInt8]) -> Bool {
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
