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
    guard !text.isEmpty else { return text }
    var stream = MaskStream(key.hash(text.utf8, UInt64(truncatingIfNeeded: variant)))
    var result = String.UnicodeScalarView()
    var hashes: [UInt64] = [0]
    var escaped = 0
    hashes.reserveCapacity(text.utf8.count + 1)
    for scalar in text.unicodeScalars {
      let kind = CharacterClass.of(scalar)
      let isEscape = style == .address && (scalar == "%" || escaped > 0)
      let stays =
        switch style {
        case .keepingLetters: kind.stays || kind.isLetter
        case .keepingDigits: kind.stays || scalar.properties.generalCategory == .decimalNumber
        default: kind.stays
        }
      for _ in 0..<(kind.isDoubled ? 2 : 1) {
        var choices = Choices(kind.alphabet, kind.others, at: stream.next())
        if style == .hexadecimal || isEscape, kind.isLetter {
          choices.alphabets[0] = scalar.properties.isUppercase ? .hexadecimalCapitals : .hexadecimalLetters
        } else if style == .address {
          choices.alphabets = [
            kind.stays ? .addressPunctuation : scalar.value < 128 ? kind.alphabet : .letters, .letters, .capitals,
            .digits,
          ]
        }
        let next = choices.first(besides: stays ? nil : scalar.value, keeping: stays ? scalar.value : nil) {
          candidate in
          originals.mayEnd(hashes, with: OriginalTexts.longer(hashes[hashes.count - 1], candidate))
        }
        hashes.append(OriginalTexts.longer(hashes[hashes.count - 1], next))
        if let made = Unicode.Scalar(next) { result.append(made) }
      }
      escaped = scalar == "%" ? 2 : max(0, escaped - 1)
    }
    return String(result)
  }
}

/// The characters that may take the place of one, in an order that a number gives.
private struct Choices {
  var alphabets: [Alphabet]
  private let start: UInt64

  init(_ alphabet: Alphabet, _ others: [Alphabet], at start: UInt64) {
    (alphabets, self.start) = ([alphabet] + others, start)
  }

  /// The first that is not refused.
  func first(besides original: UInt32?, keeping kept: UInt32?, refuses: (UInt32) -> Bool) -> UInt32 {
    if let kept, !refuses(kept) { return kept }
    for alphabet in alphabets {
      let begin = UInt32(truncatingIfNeeded: ((start >> 32) &* UInt64(alphabet.count)) >> 32)
      for step in 0..<alphabet.count {
        let candidate = alphabet[(begin &+ step) % alphabet.count]
        if candidate != original, !refuses(candidate) { return candidate }
      }
    }
    return 0xFFFD
  }
}
