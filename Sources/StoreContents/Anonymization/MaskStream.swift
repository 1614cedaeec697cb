/// A stream of pseudo-random numbers from one hash: SplitMix64.
struct MaskStream {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  mutating func below(_ limit: UInt32) -> UInt32 { UInt32(truncatingIfNeeded: ((next() >> 32) &* UInt64(limit)) >> 32) }

  /// Spreads the bits of a number.
  static func mix(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Bytes of which no text can be made: each is in the middle of a character of UTF-8.
  mutating func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
      fill(UnsafeMutableRawBufferPointer(bytes))
      initialized = count
    }
  }

  /// Overwrites bytes with pseudo-random bytes.
  mutating func fill(_ bytes: UnsafeMutableRawBufferPointer) {
    var place = 0
    while place < bytes.count {
      let word = (next() & 0x3F3F_3F3F_3F3F_3F3F | 0x8080_8080_8080_8080).littleEndian
      withUnsafeBytes(of: word) { word in
        let count = min(word.count, bytes.count - place)
        UnsafeMutableRawBufferPointer(rebasing: bytes[place..<(place + count)]).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: word[..<count]))
      }
      place += MemoryLayout<UInt64>.size
    }
  }

  /// The bytes of a random UUID, without more than one ASCII character in a row.
  mutating func uuid() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { bytes, initialized in
      fillUUID(UnsafeMutableRawBufferPointer(bytes))
      initialized = 16
    }
  }

  /// Overwrites sixteen bytes with the bytes of a random UUID.
  mutating func fillUUID(_ bytes: UnsafeMutableRawBufferPointer) {
    for place in [0, 8] {
      bytes.storeBytes(of: (next() | 0x8080_8080_8080_8080).littleEndian, toByteOffset: place, as: UInt64.self)
    }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
  }
}
