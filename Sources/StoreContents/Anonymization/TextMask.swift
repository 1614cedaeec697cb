/// Makes a text of another: of the same length in UTF-16, each character of the same class, and always the same one.
struct TextMask: Sendable {
  /// What is done with which characters.
  enum Style: Sendable, CaseIterable {
    /// Letters and digits get others; what else there is stays where it may.
    case plain
    /// The same with the letters from a to f.
    case hexadecimal
    /// Letters stay where they may.
    case keepingLetters
    /// Digits stay where they may.
    case keepingDigits
    /// Of a URI: what takes a character's place is one that a URI may have.
    case address
    /// Letters and digits get ideographs, of which there are more.
    case ideographs

    /// What is done in a further try to make a text that is unique.
    static func ofTry(_ variant: Int) -> Style { variant > AnonymousCopy.tries ? .ideographs : .plain }
  }

  let key: KeyedHash
  let originals: OriginalTexts

  /// Masks a text.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - variant: 0, or another number for another result.
  ///   - style: what is done with which characters.
  /// - Returns: a text in which none of the originals is found.
  func mask(_ text: String, variant: Int = 0, style: Style = .plain) -> String {
    let memory = ReusedBytes()
    var text = text
    return text.withUTF8 {
      String(decoding: mask($0, variant: variant, style: style, in: memory), as: UTF8.self)
    }
  }

  /// Masks a text in UTF-8; what is no UTF-8 is repaired before.
  ///
  /// - Returns: the masked text, which is there until the memory is used again.
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

  /// How many bytes are written at most for a byte of a text: no character takes more than four.
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

  /// Writes a character in UTF-8, and returns where the next one goes.
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

/// The characters that may take the place of one.
private struct Choices {
  private let original: UInt32
  private let kind: CharacterClass
  /// Whether the character itself may stay.
  private let stays: Bool
  /// Those that are tried before the others.
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
  /// True when each byte is a character.
  var isASCII: Bool { reduce(0, |) < 0x80 }
}
