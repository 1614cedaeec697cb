import ModelDescription

/// Rows of cells as text: in columns if they fit, or else one line per cell.
struct RecordTable {
  let columns: [String]
  let rows: [[Cell]]

  struct Cell {
    let text: String
    var isNumber = false
  }

  /// The narrowest a column may be.
  private static let least = 6
  private static let gap = "  "

  /// The text for a width, and a last line; a longer value is cut and ends in `…`.
  ///
  /// A blank line follows each row of a list.
  func text(width: Int, last: String = "") -> String {
    func listed(_ width: Int) -> String { list(width: width) + (last.isEmpty ? "" : "\n\(last)") }
    if TextWidth.isSpoken { return listed(.max) }
    let natural = columns.indices.map { column in
      max(DisplayWidth.columns(of: columns[column]), rows.map { DisplayWidth.columns(of: $0[column].text) }.max() ?? 0)
    }
    guard let widths = widths(natural, in: width) else { return listed(width) }
    let heading = line(columns.map { Cell(text: $0) }, widths)
    let rule = line(widths.map { Cell(text: String(repeating: "-", count: $0)) }, widths)
    return ([heading, rule] + rows.map { line($0, widths) }).map { $0 + "\n" }.joined() + last
  }

  /// The widths of columns, the widest made narrower until all fit; nil when they cannot.
  ///
  /// A heading is never cut.
  private func widths(_ natural: [Int], in width: Int) -> [Int]? {
    guard width < .max else { return natural }
    let room = width - Self.gap.count * max(natural.count - 1, 0)
    let least = zip(natural, columns).map { min($0, max(Self.least, DisplayWidth.columns(of: $1))) }
    guard least.reduce(0, +) <= room else { return nil }
    var limit = natural.max() ?? 0
    func widths() -> [Int] { zip(natural, least).map { max($1, min($0, limit)) } }
    while limit > Self.least, widths().reduce(0, +) > room { limit -= 1 }
    return widths()
  }

  private func line(_ cells: [Cell], _ widths: [Int]) -> String {
    let texts = zip(cells, widths).map { cell, width in
      let text = Self.cut(cell.text, to: width)
      let room = String(repeating: " ", count: max(width - DisplayWidth.columns(of: text), 0))
      return cell.isNumber ? room + text : text + room
    }
    let line = texts.joined(separator: Self.gap)
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  private func list(width: Int) -> String {
    rows.map { row in
      zip(columns, row).map { name, cell in Self.cut("\(name): \(cell.text)", to: width) + "\n" }.joined()
    }.joined(separator: "\n")
  }

  private static func cut(_ text: String, to width: Int) -> String {
    guard DisplayWidth.columns(of: text) > width else { return text }
    var room = width - 1
    let beginning = text.prefix { character in
      room -= DisplayWidth.columns(of: character)
      return room >= 0
    }
    return beginning + "…"
  }
}

/// Rows of cells in the form of RFC 4180.
enum CommaSeparatedText {
  static func lines(_ rows: [[String]]) -> String {
    rows.map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  /// Quotes a cell if necessary; the check is by Unicode scalars, so that a combining mark cannot hide a comma.
  private static func quoted(_ cell: String) -> String {
    guard cell.unicodeScalars.contains(where: isSpecial) else { return cell }
    var quoted = "\"".unicodeScalars
    for scalar in cell.unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }

  private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ",", "\"", "\u{A}"..."\u{D}", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }
}

/// The width of texts in columns of a terminal.
enum DisplayWidth {
  /// The columns of a text without control characters.
  static func columns(of text: String) -> Int {
    text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The width of a character: two for a wide character or an emoji, zero for marks and format characters alone.
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

  /// Whether Unicode defines a scalar as Wide or Fullwidth (UAX #11).
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
