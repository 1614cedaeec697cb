/// Writes text so that XML takes it as it is.
package enum XMLText {
  /// The value of an attribute, for double quotation marks; what XML cannot hold at all becomes U+FFFD.
  package static func attribute(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\t", "\n", "\r": text += "&#\(scalar.value);"
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// What stands between two tags; what XML cannot hold at all becomes U+FFFD.
  package static func content(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\n", "\t", "\"": text.unicodeScalars.append(scalar)
      default: text += attribute(String(scalar))
      }
    }
    return text
  }

  /// One line of a comment, in which no two hyphens may stand together.
  static func comment(_ line: String) -> String {
    var text = ""
    for scalar in line.unicodeScalars {
      switch scalar {
      case "-" where text.hasSuffix("-"): text += " -"
      case "\n", "\r", "\t": text += " "
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
