/// The hashes of a text's last beginnings, of which those of all runs of characters follow that the text may end with.
struct BeginningHashes {
  /// How many are kept: as many as the longest run that is looked for has characters.
  static let kept = 32
  /// The base of the hashes.
  static let base: UInt64 = 0x9E37_79B9_7F4A_7C15

  private let hashes: UnsafeMutableBufferPointer<UInt64>
  /// How many characters the text has.
  private(set) var count = 0
  /// The hash of the whole text.
  private(set) var last: UInt64 = 0

  /// Begins with no text.
  ///
  /// - Parameter memory: where the hashes are kept.
  init(in memory: UnsafeMutableBufferPointer<UInt64>) {
    hashes = memory
    hashes.initialize(repeating: 0)
  }

  /// The hash of a beginning of so many characters, one of the last.
  subscript(_ count: Int) -> UInt64 { hashes[count & (Self.kept - 1)] }

  /// The hash of the text with one character more.
  func hash(with character: UInt32) -> UInt64 { Self.longer(last, character) }

  /// Makes the text one character longer.
  mutating func append(_ character: UInt32) {
    (count, last) = (count + 1, hash(with: character))
    hashes[count & (Self.kept - 1)] = last
  }

  /// The hash of a text with one character more.
  static func longer(_ hash: UInt64, _ character: UInt32) -> UInt64 { hash &* base &+ UInt64(character) &+ 1 }
}
