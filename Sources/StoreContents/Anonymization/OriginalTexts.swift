/// The beginnings of all texts that must not be found in the copy, in memory of a fixed size.
///
/// Of a text is kept a bit for the hash of its first 4, 8, 16 or 32 characters, as many as it has; whoever writes no run of
/// characters with such a hash writes none of the texts, in one text or in the middle of another.
final class OriginalTexts: @unchecked Sendable {
  /// How many characters a text must have to be looked for.
  static let least = 4
  static let lengths = [4, 8, 16, 32]
  /// The base of the hashes of runs.
  private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let bits: UInt64 = 1 << 26
  /// The base to the power of each length.
  private static let powers = lengths.map { length in (0..<length).reduce(UInt64(1)) { power, _ in power &* base } }

  private var words = [UInt64](repeating: 0, count: Int(bits / 64))
  /// Whether any text of each of the lengths is known.
  private var isUsed = lengths.map { _ in false }

  /// Remembers a text.
  func insert(_ text: String) {
    var (hash, count, kept, level) = (UInt64(0), 0, UInt64(0), -1)
    for scalar in text.unicodeScalars {
      hash = Self.longer(hash, scalar.value)
      count += 1
      guard level + 1 < Self.lengths.count, count == Self.lengths[level + 1] else { continue }
      (level, kept) = (level + 1, hash)
      if level + 1 == Self.lengths.count { break }
    }
    guard level >= 0 else { return }
    isUsed[level] = true
    let bit = Self.bit(kept, level)
    words[Int(bit >> 6)] |= 1 << (bit & 63)
  }

  /// True when the last characters of a text may be the beginning of one that is known.
  ///
  /// - Parameters:
  ///   - hashes: the hashes of the text's beginnings, that of nothing first.
  ///   - hash: the hash of the whole text.
  /// - Returns: false when they are certainly not.
  func mayEnd(_ hashes: [UInt64], with hash: UInt64) -> Bool {
    for level in isUsed.indices where isUsed[level] {
      let start = hashes.count - Self.lengths[level]
      guard start >= 0 else { return false }
      let bit = Self.bit(hash &- hashes[start] &* Self.powers[level], level)
      if words[Int(bit >> 6)] & (1 << (bit & 63)) != 0 { return true }
    }
    return false
  }

  /// The hash of a beginning with one character more.
  static func longer(_ hash: UInt64, _ scalar: UInt32) -> UInt64 { hash &* base &+ UInt64(scalar) &+ 1 }

  private static func bit(_ hash: UInt64, _ level: Int) -> UInt64 {
    MaskStream.mix(hash &+ UInt64(level) &* 0xD1B5_4A32_D192_ED03) & (bits - 1)
  }
}
