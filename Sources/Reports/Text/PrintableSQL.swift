/// Writes SQL that can be run, without control characters that act on a terminal.
public enum PrintableSQL {
  private enum Part {
    case code
    case text
    case name
    case comment
  }

  /// The statements, with each control character as a call of `char` in a text, and as `\\u{1B}` in a name or a
  /// comment.
  ///
  /// A statement with such a name does not find the table or column; names of Core Data do not have control characters.
  ///
  /// - Parameter sql: statements, and comments that begin with `--`.
  public static func text(_ sql: String) -> String {
    guard PrintableText.escaped(sql) != sql else { return sql }
    var result = ""
    var part = Part.code
    // A text as it stands, and whether something in it was written out.
    var literal = ""
    var isBroken = false
    var isSecondQuote = false
    var previous: Unicode.Scalar?
    func end() {
      result += isBroken ? "(\(literal))" : literal
      (literal, isBroken) = ("", false)
    }
    let scalars = Array(sql.unicodeScalars)
    for (position, scalar) in scalars.enumerated() {
      defer { previous = scalar }
      switch part {
      case .code:
        switch scalar {
        case "'": (part, literal) = (.text, "'")
        case "\"": (part, result) = (.name, result + "\"")
        case "-" where previous == "-": (part, result) = (.comment, result + "-")
        default: result += shown(scalar)
        }
      case .text:
        if isSecondQuote {
          isSecondQuote = false
          literal += "'"
        } else if PrintableText.isControl(scalar) {
          literal += "'||char(\(scalar.value))||'"
          isBroken = true
        } else {
          literal.unicodeScalars.append(scalar)
          guard scalar == "'" else { continue }
          // Two stand for one in the text.
          isSecondQuote = position + 1 < scalars.count && scalars[position + 1] == "'"
          if !isSecondQuote {
            end()
            part = .code
          }
        }
      case .name:
        result += shown(scalar)
        if scalar == "\"" { part = .code }
      case .comment:
        result += shown(scalar)
        if scalar == "\n" { part = .code }
      }
    }
    end()
    return result
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    PrintableText.isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
  }
}
