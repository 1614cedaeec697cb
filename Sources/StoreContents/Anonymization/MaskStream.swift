/// A stream of pseudo-random numbers from one hash: SplitMix64.
struct MaskStream {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// The next 64 bits.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// A number below a limit.
  mutating func below(_ limit: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: ((next() >> 32) &* UInt64(limit)) >> 32)
  }

  /// Spreads the bits of a number.
  static func mix(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Bytes of which no text can be made: each is in the middle of a character of UTF-8.
  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0x80, count: count)
    var word: UInt64 = 0
    for position in bytes.indices {
      if position & 7 == 0 { word = next() }
      bytes[position] = 0x80 | UInt8(truncatingIfNeeded: word) & 0x3F
      word >>= 8
    }
    return bytes
  }

  /// The bytes of a random UUID, of which no text of more than one ASCII character can be made.
  mutating func uuid() -> [UInt8] {
    var bytes = (0..<2).flatMap { _ in
      let word = next()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) | 0x80 }
    }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }
}
