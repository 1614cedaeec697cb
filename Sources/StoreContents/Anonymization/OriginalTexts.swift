/// The beginnings of all texts that must not be found in the copy, in memory that depends on the size of the store.
///
/// For each text, a bit is kept for the hash of its first 4, 8, 16 or 32 characters, depending on its length. A copy
/// without a run of characters with such a hash does not contain any of the texts.
final class OriginalTexts: @unchecked Sendable {
  /// The lengths of the beginnings whose hashes are kept.
  private struct Level {
    let length: Int
    /// The base of the hashes to the power of the length.
    let power: UInt64
    /// The salt that separates the hashes of this length from the hashes of other lengths.
    let salt: UInt64
    /// Whether any text has a beginning of this length, but not of the next length.
    var isUsed = false
  }

  /// The minimum number of characters of a text to search for.
  static let least = 4
  private static let lengths = [4, 8, 16, 32]

  private let bits: BitTable
  /// A small table of the last bits of each position: most lookups need only this table, which fits into the
  /// processor's cache.
  private let near: BitTable
  private var levels: [Level]

  /// The number of used bits of a hash for a store's size: 8 MiB of memory for up to 256 MiB, and at most 128 MiB.
  ///
  /// In a table that is half full, nearly every character is refused at first, and each text takes many times as long.
  static func logarithm(storeBytes: Int64) -> Int {
    let pieces = max(1, (storeBytes + (1 << 28) - 1) >> 28)
    return min(30, 26 + (Int64.bitWidth - (pieces - 1).leadingZeroBitCount))
  }

  /// Begins with no text.
  ///
  /// - Parameter storeBytes: the size of the store that the texts are of.
  init(storeBytes: Int64) {
    let logarithm = Self.logarithm(storeBytes: storeBytes)
    (bits, near) = (BitTable(logarithm: logarithm), BitTable(logarithm: logarithm - 6))
    levels = Self.lengths.enumerated().map { level, length in
      let power = (0..<length).reduce(UInt64(1)) { power, _ in power &* BeginningHashes.base }
      return Level(length: length, power: power, salt: UInt64(level) &* 0xD1B5_4A32_D192_ED03)
    }
  }

  func insert(_ text: String) { insert(text.unicodeScalars.lazy.map(\.value)) }

  func insert(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.count >= Self.least else { return }
    if text.isASCII { insert(text.lazy.map(UInt32.init)) } else { insert(String(decoding: text, as: UTF8.self)) }
  }

  private func insert(_ text: some Sequence<UInt32>) {
    var (hash, count, kept, level) = (UInt64(0), 0, UInt64(0), -1)
    for character in text {
      hash = BeginningHashes.longer(hash, character)
      count += 1
      guard count == levels[level + 1].length else { continue }
      (level, kept) = (level + 1, hash)
      if level + 1 == levels.count { break }
    }
    guard level >= 0 else { return }
    levels[level].isUsed = true
    let place = Self.place(kept, levels[level])
    bits.insert(place)
    near.insert(place)
  }

  /// Whether the last characters of a text may be the beginning of an original text.
  ///
  /// - Parameter beginnings: the hashes of the text without its last character.
  /// - Returns: false if they certainly are not.
  func mayEnd(_ beginnings: BeginningHashes, with hash: UInt64) -> Bool {
    for level in levels where level.isUsed {
      guard level.length <= beginnings.count + 1 else { return false }
      let place = Self.place(hash &- beginnings[beginnings.count + 1 - level.length] &* level.power, level)
      if near.contains(place), bits.contains(place) { return true }
    }
    return false
  }

  private static func place(_ hash: UInt64, _ level: Level) -> UInt64 { MaskStream.mix(hash &+ level.salt) }
}

/// A set of numbers of which only the last binary digits count.
final class BitTable {
  private let words: UnsafeMutablePointer<UInt64>
  private let last: UInt64

  /// Begins without numbers.
  ///
  /// - Parameter logarithm: how many digits count, 6 at least.
  init(logarithm: Int) {
    let count = 1 << (logarithm - 6)
    words = .allocate(capacity: count)
    words.initialize(repeating: 0, count: count)
    last = 1 << UInt64(logarithm) - 1
  }

  deinit { words.deallocate() }

  func insert(_ number: UInt64) { words[Int(number & last) >> 6] |= 1 << (number & 63) }

  func contains(_ number: UInt64) -> Bool { words[Int(number & last) >> 6] & (1 << (number & 63)) != 0 }
}

/// The hashes of a text's last beginnings, from which the hashes of all runs of characters at its end follow.
struct BeginningHashes {
  /// The number of kept hashes, which is the length of the longest run to search for.
  static let kept = 32
  static let base: UInt64 = 0x9E37_79B9_7F4A_7C15

  private let hashes: UnsafeMutableBufferPointer<UInt64>
  /// The number of characters of the text.
  private(set) var count = 0
  /// The hash of the complete text.
  private(set) var last: UInt64 = 0

  /// Creates the hashes of an empty text.
  ///
  /// - Parameter memory: the memory for the hashes.
  init(in memory: UnsafeMutableBufferPointer<UInt64>) {
    hashes = memory
    hashes.initialize(repeating: 0)
  }

  /// The hash of a beginning of `count` characters, one of the last beginnings.
  subscript(_ count: Int) -> UInt64 { hashes[count & (Self.kept - 1)] }

  func hash(with character: UInt32) -> UInt64 { Self.longer(last, character) }

  mutating func append(_ character: UInt32) {
    (count, last) = (count + 1, hash(with: character))
    hashes[count & (Self.kept - 1)] = last
  }

  static func longer(_ hash: UInt64, _ character: UInt32) -> UInt64 { hash &* base &+ UInt64(character) &+ 1 }
}
