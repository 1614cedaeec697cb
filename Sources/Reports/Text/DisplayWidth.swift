/// How many columns of a terminal texts take.
enum DisplayWidth {
  /// The columns of a text without control characters.
  static func columns(of text: String) -> Int {
    text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The columns of a character: two for a wide one and for an emoji, none for marks and format characters alone.
  static func columns(of character: Character) -> Int {
    guard !character.isASCII else { return 1 }
    let scalars = character.unicodeScalars
    let spacing = scalars.filter(isSpacing)
    guard let first = spacing.first else { return 0 }
    let turnsToEmoji = first.properties.isEmoji && scalars.contains { $0.value == 0xFE0F }
    return turnsToEmoji || first.properties.isEmojiPresentation || isWide(first) ? 2 : spacing.count
  }

  private static func isSpacing(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: false
    default: true
    }
  }

  /// True for what Unicode calls Wide or Fullwidth, beside emoji (UAX #11).
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
      0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
