/// A hash of bytes that cannot be computed without the seed: SipHash-2-4 with a key made from the seed.
struct KeyedHash: Sendable {
  private let first: UInt64
  private let second: UInt64

  init(seed: UInt64) {
    var words = MaskStream(seed)
    (first, second) = (words.next(), words.next())
  }

  /// The hash of bytes, for a use with its own number.
  func hash(_ bytes: UnsafeRawBufferPointer, _ use: UInt64 = 0) -> UInt64 {
    var state = SipState(first, second)
    state.add(use)
    let whole = bytes.count & ~7
    for place in stride(from: 0, to: whole, by: 8) {
      state.add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
    }
    var word = UInt64(truncatingIfNeeded: bytes.count) << 56
    for place in whole..<bytes.count { word |= UInt64(bytes[place]) << (8 * UInt64(place & 7)) }
    state.add(word)
    return state.end()
  }

  /// The hash of bytes that are not contiguous, for a use with its own number.
  func hash(_ bytes: some Sequence<UInt8>, _ use: UInt64 = 0) -> UInt64 {
    bytes.withContiguousStorageIfAvailable { hash(UnsafeRawBufferPointer($0), use) }
      ?? Array(bytes).withUnsafeBytes { hash($0, use) }
  }

  /// The hash of a name, for a use with its own number.
  func hash(_ name: String, _ use: UInt64 = 0) -> UInt64 { hash(name.utf8, use) }
}

/// The four words of SipHash.
private struct SipState {
  private var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64)

  init(_ first: UInt64, _ second: UInt64) {
    (a, b) = (first ^ 0x736F_6D65_7073_6575, second ^ 0x646F_7261_6E64_6F6D)
    (c, d) = (first ^ 0x6C79_6765_6E65_7261, second ^ 0x7465_6462_7974_6573)
  }

  private mutating func round() {
    a = a &+ b
    b = (b << 13 | b >> 51) ^ a
    a = a << 32 | a >> 32
    c = c &+ d
    d = (d << 16 | d >> 48) ^ c
    a = a &+ d
    d = (d << 21 | d >> 43) ^ a
    c = c &+ b
    b = (b << 17 | b >> 47) ^ c
    c = c << 32 | c >> 32
  }

  mutating func add(_ word: UInt64) {
    d ^= word
    round()
    round()
    a ^= word
  }

  mutating func end() -> UInt64 {
    c ^= 0xFF
    for _ in 0..<4 { round() }
    return a ^ b ^ c ^ d
  }
}
