/// Writes text that cannot act on a terminal or in the log of a build service.
public enum PrintableText {
  /// The text with active characters escaped.
  ///
  /// Names can come from any file. Control characters, and characters that change the direction of writing, are written
  /// as `\u{1B}`. Commands of GitHub's runner (`::` at the beginning of a line, and `##[` anywhere) are broken up.
  public static func escaped(_ text: String) -> String {
    guard isSuspicious(text) else { return text }
    var escaped = String.UnicodeScalarView()
    // What the line begins with, as long as that is white space and colons.
    var lead: [Unicode.Scalar]? = []
    var former: (Unicode.Scalar?, Unicode.Scalar?)
    var tagsOfFlag = 0
    for scalar in text.unicodeScalars {
      let opensCommand = scalar == ":" && lead?.last == ":" || scalar == "[" && former == ("#", "#")
      let isPartOfFlag = isTag(scalar) && tagsOfFlag > 0
      tagsOfFlag = scalar == "\u{1F3F4}" ? flagLength : isPartOfFlag ? tagsOfFlag - 1 : 0
      if isControl(scalar) && !isPartOfFlag || opensCommand {
        escaped.append(contentsOf: code(scalar))
      } else {
        escaped.append(scalar)
      }
      former = (former.1, scalar)
      if scalar == "\n" {
        lead = []
      } else if scalar == ":" || scalar.properties.isWhitespace {
        lead?.append(scalar)
      } else {
        lead = nil
      }
    }
    return String(escaped)
  }

  /// The text on a single line, with line breaks escaped.
  public static func line(_ text: String) -> String { escaped(text).replacing("\n", with: "\\u{A}") }

  /// The text as a cell of a table, with tabs escaped too, because their width depends on their position.
  static func cell(_ text: String) -> String { line(text).replacing("\t", with: "\\u{9}") }

  /// Whether the bytes of a text may need escaping; most texts do not.
  private static func isSuspicious(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.indices.contains { index in
        switch bytes[index] {
        case UInt8(ascii: "\n"): false
        case 0..<0x20, 0x7F, 0xC2, 0xD8, 0xEF, 0xF3: true
        // The characters that act begin with E2 80 and E2 81, arrows do not.
        case 0xE2: index + 1 == bytes.endIndex || bytes[index + 1] < 0x82
        case UInt8(ascii: ":"): index > 0 && bytes[index - 1] == UInt8(ascii: ":")
        case UInt8(ascii: "["): index > 0 && bytes[index - 1] == UInt8(ascii: "#")
        default: false
        }
      }
    }
  }

  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: isTag(scalar)
    }
  }

  /// The number of tags after the black flag in an emoji such as Scotland's flag.
  private static let flagLength = 7

  /// True for a tag, a letter without a shape.
  private static func isTag(_ scalar: Unicode.Scalar) -> Bool { (0xE0000...0xE007F).contains(scalar.value) }

  private static func code(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    Array("\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
  }
}
