/// Rows of cells in the form of RFC 4180.
enum CommaSeparatedText {
  /// The text of rows, each with its line break.
  static func lines(_ rows: [[String]]) -> String {
    rows.map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  /// Quotes a cell where it needs it; a program reads scalars, so that a mark behind a comma does not hide the comma.
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
