/// The characters that may take one another's place.
struct Alphabet: Sendable {
  private let first: ClosedRange<UInt32>
  private let second: ClosedRange<UInt32>?
  let count: UInt32

  init(_ first: ClosedRange<UInt32>, _ second: ClosedRange<UInt32>? = nil) {
    (self.first, self.second) = (first, second)
    count = UInt32(first.count + (second?.count ?? 0))
  }

  /// The character at a place below the count.
  subscript(_ place: UInt32) -> UInt32 {
    let own = UInt32(first.count)
    guard let second, place >= own else { return first.lowerBound + place }
    return second.lowerBound + (place - own)
  }
}

extension Alphabet {
  static let capitals = Alphabet(0x41...0x5A)
  static let letters = Alphabet(0x61...0x7A)
  static let digits = Alphabet(0x30...0x39)
  static let hexadecimalCapitals = Alphabet(0x41...0x46)
  static let hexadecimalLetters = Alphabet(0x61...0x66)
  static let otherCapitals = Alphabet(0xC0...0xD6, 0xD8...0xDE)
  static let otherLetters = Alphabet(0xDF...0xF6, 0xF8...0xFF)
  static let otherDigits = Alphabet(0x660...0x669, 0x966...0x96F)
  static let ideographs = Alphabet(0x4E00...0x9FFF)
  static let farIdeographs = Alphabet(0x2_0000...0x2_A6DF)
  static let shapes = Alphabet(0x25A0...0x25FF)
  static let faces = Alphabet(0x1F600...0x1F64F)
  static let marks = Alphabet(0x300...0x314)
  static let circled = Alphabet(0x2460...0x2473)
  static let punctuation = Alphabet(0x2C...0x2E, 0x3A...0x3B)
  static let addressPunctuation = Alphabet(0x2D...0x2E, 0x5F...0x5F)

  /// The alphabets of scripts, each with the characters that it takes the place of.
  private static let scripts: [(characters: ClosedRange<UInt32>, capitals: Alphabet, letters: Alphabet)] = [
    (0xC0...0x24F, otherCapitals, otherLetters),
    (0x370...0x3FF, Alphabet(0x391...0x3A1, 0x3A3...0x3A9), Alphabet(0x3B1...0x3C1, 0x3C3...0x3C9)),
    (0x400...0x52F, Alphabet(0x410...0x42F), Alphabet(0x430...0x44F)),
    (0x5D0...0x5EA, Alphabet(0x5D0...0x5EA), Alphabet(0x5D0...0x5EA)),
    (0x620...0x6FF, Alphabet(0x621...0x63A, 0x641...0x64A), Alphabet(0x621...0x63A, 0x641...0x64A)),
    (0x900...0x97F, Alphabet(0x905...0x939), Alphabet(0x905...0x939)),
    (0xE00...0xE7F, Alphabet(0xE01...0xE2E), Alphabet(0xE01...0xE2E)),
    (0x3040...0x309F, Alphabet(0x3041...0x3096), Alphabet(0x3041...0x3096)),
    (0x30A0...0x30FF, Alphabet(0x30A1...0x30FA), Alphabet(0x30A1...0x30FA)),
    (0x3400...0x9FFF, ideographs, ideographs),
    (0xAC00...0xD7A3, Alphabet(0xAC00...0xD7A3), Alphabet(0xAC00...0xD7A3)),
    (0x2_0000...0x3_FFFF, farIdeographs, farIdeographs),
  ]

  /// The letters of a letter's script; nil for a script that has none here.
  static func ofScript(_ letter: UInt32, isCapital: Bool) -> Alphabet? {
    guard let script = scripts.first(where: { $0.characters.contains(letter) }) else { return nil }
    return isCapital ? script.capitals : script.letters
  }
}
