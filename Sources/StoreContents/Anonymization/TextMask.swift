/// Masks texts: the result has the same length in UTF-16 and characters of the same classes.
///
/// Equal texts have equal results.
struct TextMask: Sendable {
  /// The characters to replace, and their replacements.
  enum Style: Sendable, CaseIterable {
    /// Replace letters and digits; keep other characters if possible.
    case plain
    /// The same with the letters from a to f.
    case hexadecimal
    /// Keep letters if possible.
    case keepingLetters
    /// Keep digits if possible.
    case keepingDigits
    /// Replace each character by a character that a URI allows.
    case address
    /// Replace letters and digits by ideographs, of which there are more.
    case ideographs

    /// The style of a further try to make a text unique.
    static func ofTry(_ variant: Int) -> Style { variant > AnonymousCopy.tries ? .ideographs : .plain }
  }

  let key: KeyedHash
  let originals: OriginalTexts

  /// Masks a text.
  ///
  /// - Parameter variant: 0, or another number for another result.
  /// - Returns: a text that does not contain any original text.
  func mask(_ text: String, variant: Int = 0, style: Style = .plain) -> String {
    let memory = ReusedBytes()
    var text = text
    return text.withUTF8 {
      String(decoding: mask($0, variant: variant, style: style, in: memory), as: UTF8.self)
    }
  }

  /// Masks a text in UTF-8; invalid UTF-8 is repaired first.
  ///
  /// - Returns: the masked text, valid until the memory is reused.
  func mask(
    _ text: UnsafeBufferPointer<UInt8>, variant: Int = 0, style: Style = .plain, in memory: ReusedBytes
  ) -> UnsafeBufferPointer<UInt8> {
    let use = UInt64(truncatingIfNeeded: variant)
    if text.isASCII {
      let hash = key.hash(UnsafeRawBufferPointer(text), use)
      let room = memory.room(for: text.count * Self.growth)
      return write(text.lazy.map { Unicode.Scalar($0) }, style, MaskStream(hash), to: room)
    }
    let repaired = String(decoding: text, as: UTF8.self)
    let room = memory.room(for: repaired.utf8.count * Self.growth)
    return write(repaired.unicodeScalars, style, MaskStream(key.hash(repaired.utf8, use)), to: room)
  }

  /// The maximum number of bytes written per byte of a text; each character has at most four.
  private static let growth = 4

  private func write(
    _ text: some Sequence<Unicode.Scalar>, _ style: Style, _ numbers: MaskStream, to room: UnsafeMutablePointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    var (numbers, escaped, end) = (numbers, 0, room)
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: BeginningHashes.kept) { memory in
      var written = BeginningHashes(in: memory)
      for scalar in text {
        let kind = CharacterClass.of(scalar)
        let isEscape = style == .address && (scalar == "%" || escaped > 0)
        let choices = Choices(for: scalar, kind, style, isEscape: isEscape)
        for _ in 0..<(kind.isDoubled ? 2 : 1) {
          let next = choices.first(at: numbers.next()) { candidate in
            originals.mayEnd(written, with: written.hash(with: candidate))
          }
          written.append(next)
          end = Self.write(next, to: end)
        }
        escaped = scalar == "%" ? 2 : max(0, escaped - 1)
      }
    }
    return UnsafeBufferPointer(start: room, count: end - room)
  }

  /// Writes a character in UTF-8, and returns the end of the text.
  private static func write(_ character: UInt32, to end: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    if character < 0x80 {
      end.pointee = UInt8(truncatingIfNeeded: character)
      return end + 1
    }
    guard let scalar = Unicode.Scalar(character) else { return end }
    var end = end
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
      end.pointee = byte
      end += 1
    }
    return end
  }
}

/// The possible replacements of a character.
private struct Choices {
  private let original: UInt32
  private let kind: CharacterClass
  /// Whether the character itself may be kept.
  private let stays: Bool
  /// The alphabet to try first.
  private let alphabet: Alphabet
  private let isOfAddress: Bool

  init(for scalar: Unicode.Scalar, _ kind: CharacterClass, _ style: TextMask.Style, isEscape: Bool) {
    (original, self.kind) = (scalar.value, kind)
    stays =
      switch style {
      case .keepingLetters: kind.stays || kind.isLetter
      case .keepingDigits: kind.stays || scalar.properties.generalCategory == .decimalNumber
      default: kind.stays
      }
    let isDigit = kind.isLetter && (style == .hexadecimal || isEscape)
    isOfAddress = style == .address && !isDigit
    alphabet =
      if isDigit {
        scalar.properties.isUppercase ? .hexadecimalCapitals : .hexadecimalLetters
      } else if isOfAddress {
        kind.stays ? .addressPunctuation : scalar.value < 128 ? kind.alphabet : .letters
      } else if style == .ideographs, !kind.stays {
        scalar.value > 0xFFFF && !kind.isDoubled ? .farIdeographs : .ideographs
      } else {
        kind.alphabet
      }
  }

  private var others: [Alphabet] {
    isOfAddress ? [.letters, .capitals, .digits] : [kind.other, .ideographs].compactMap(\.self)
  }

  /// The first that is not refused, in an order that a number gives.
  func first(at start: UInt64, refuses: (UInt32) -> Bool) -> UInt32 {
    if stays, !refuses(original) { return original }
    if let found = first(of: alphabet, at: start, refuses: refuses) { return found }
    for alphabet in others {
      if let found = first(of: alphabet, at: start, refuses: refuses) { return found }
    }
    return 0xFFFD
  }

  private func first(of alphabet: Alphabet, at start: UInt64, refuses: (UInt32) -> Bool) -> UInt32? {
    let begin = UInt32(truncatingIfNeeded: ((start >> 32) &* UInt64(alphabet.count)) >> 32)
    for step in 0..<alphabet.count {
      let place = begin &+ step
      let candidate = alphabet[place < alphabet.count ? place : place &- alphabet.count]
      if stays || candidate != original, !refuses(candidate) { return candidate }
    }
    return nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  var isASCII: Bool { reduce(0, |) < 0x80 }
}

/// The class of a character, with replacements of the same class.
struct CharacterClass: Sendable {
  let alphabet: Alphabet
  /// The alphabet to use if each character of the first alphabet would restore an original text; ideographs are tried
  /// last.
  let other: Alphabet?
  /// Whether the character is kept if possible: punctuation, spaces and controls.
  let stays: Bool
  let isLetter: Bool
  /// Whether the character has two UTF-16 units and is replaced by two characters.
  let isDoubled: Bool

  private init(
    _ alphabet: Alphabet, _ other: Alphabet?, stays: Bool = false, isLetter: Bool = false, isDoubled: Bool = false
  ) {
    (self.alphabet, self.other, self.stays) = (alphabet, other, stays)
    (self.isLetter, self.isDoubled) = (isLetter, isDoubled)
  }

  private static let capital = CharacterClass(.capitals, .otherCapitals, isLetter: true)
  private static let letter = CharacterClass(.letters, .otherLetters, isLetter: true)
  private static let digit = CharacterClass(.digits, .otherDigits)
  private static let punctuation = CharacterClass(.punctuation, .shapes, stays: true)
  private static let pair = CharacterClass(.letters, .otherLetters, isDoubled: true)
  private static let face = CharacterClass(.faces, .farIdeographs)

  private static let table = (UInt8(0)..<128).map { value in
    switch Unicode.Scalar(value) {
    case "A"..."Z": capital
    case "a"..."z": letter
    case "0"..."9": digit
    default: punctuation
    }
  }

  static func of(_ scalar: Unicode.Scalar) -> CharacterClass {
    let value = scalar.value
    if value < 128 { return table[Int(value)] }
    let isFar = value > 0xFFFF
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .titlecaseLetter, .lowercaseLetter, .otherLetter, .modifierLetter:
      let isCapital = scalar.properties.isUppercase
      if let alphabet = Alphabet.ofScript(value, isCapital: isCapital) {
        return CharacterClass(alphabet, isFar ? .faces : nil, isLetter: true)
      }
      return isFar ? pair : isCapital ? capital : letter
    case .decimalNumber:
      guard !isFar, let number = scalar.properties.numericValue, (0...9).contains(number) else {
        return isFar ? pair : digit
      }
      let zero = value - UInt32(number)
      return CharacterClass(Alphabet(zero...(zero + 9)), .otherDigits)
    case .letterNumber, .otherNumber: return isFar ? face : CharacterClass(.circled, .shapes)
    case .nonspacingMark, .spacingMark, .enclosingMark: return isFar ? face : CharacterClass(.marks, nil)
    case .otherSymbol: return isFar ? face : CharacterClass(.shapes, nil)
    case .privateUse, .unassigned, .surrogate: return isFar ? pair : letter
    default: return isFar ? CharacterClass(.faces, .farIdeographs, stays: true) : punctuation
    }
  }
}

/// Characters that can replace each other.
struct Alphabet: Sendable {
  private let first: ClosedRange<UInt32>
  private let second: ClosedRange<UInt32>?
  let count: UInt32

  init(_ first: ClosedRange<UInt32>, _ second: ClosedRange<UInt32>? = nil) {
    (self.first, self.second) = (first, second)
    count = UInt32(first.count + (second?.count ?? 0))
  }

  /// The character at a position below the count.
  subscript(_ place: UInt32) -> UInt32 {
    let own = UInt32(first.count)
    guard let second, place >= own else { return first.lowerBound + place }
    return second.lowerBound + (place - own)
  }

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

  /// The alphabet of a letter's script; nil if the script has no alphabet here.
  static func ofScript(_ letter: UInt32, isCapital: Bool) -> Alphabet? {
    guard let script = scripts.first(where: { $0.characters.contains(letter) }) else { return nil }
    return isCapital ? script.capitals : script.letters
  }
}
