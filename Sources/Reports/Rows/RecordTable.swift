/// Rows of cells as text: in columns where they fit, else a line a cell.
struct RecordTable {
  /// The names of the columns.
  let columns: [String]
  /// As many cells a row as there are columns.
  let rows: [[Cell]]

  /// A cell.
  struct Cell {
    let text: String
    var isNumber = false
  }

  /// The narrowest a column may be.
  private static let least = 6
  private static let gap = "  "

  /// The text for a width, a line break at its end; a longer value is cut and ends in `…`.
  func text(width: Int) -> String {
    let natural = columns.indices.map { column in
      max(
        DisplayWidth.columns(of: columns[column]), rows.map { DisplayWidth.columns(of: $0[column].text) }.max() ?? 0)
    }
    guard let widths = Self.widths(natural, in: width) else { return list(width: width) }
    let heading = line(columns.map { Cell(text: $0) }, widths)
    let rule = line(widths.map { Cell(text: String(repeating: "-", count: $0)) }, widths)
    return ([heading, rule] + rows.map { line($0, widths) }).map { $0 + "\n" }.joined()
  }

  /// The widths of columns, the widest made narrower until all fit; nil when they cannot.
  private static func widths(_ natural: [Int], in width: Int) -> [Int]? {
    guard width < .max else { return natural }
    let room = width - gap.count * max(natural.count - 1, 0)
    guard natural.reduce(0, { $0 + min($1, least) }) <= room else { return nil }
    var limit = natural.max() ?? 0
    while limit > least, natural.reduce(0, { $0 + min($1, limit) }) > room { limit -= 1 }
    return natural.map { min($0, limit) }
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
