import Foundation

/// Values as Swift literals; a text cannot end its quotes.
package enum SwiftLiteral {
  package static func string(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\t": literal += "\\t"
      default:
        // A mark at the beginning would join with the quote.
        if isPlain(scalar), literal.utf8.count > 1 || scalar.isASCII || scalar.properties.isAlphabetic {
          literal.unicodeScalars.append(scalar)
        } else {
          literal += "\\u{\(String(scalar.value, radix: 16))}"
        }
      }
    }
    return literal + "\""
  }

  /// A name from a file inside a comment of a single line.
  package static func comment(_ text: String) -> String {
    var comment = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { comment.append(isPlain(scalar) ? scalar : " ") }
    return String(comment)
  }

  /// A floating-point number, to the bit.
  static func number(_ value: Double) -> String {
    if value.isNaN { return ".nan" }
    if value.isInfinite { return value < 0 ? "-.infinity" : ".infinity" }
    if abs(value) < 1e15, let integer = Int64(exactly: value), integer != 0 || value.sign == .plus {
      return "\(integer)"
    }
    return value.isSubnormal ? "Double(bitPattern: 0x\(String(value.bitPattern, radix: 16)))" : "\(value)"
  }

  static func data(_ data: Data) -> String {
    data.isEmpty ? "Data()" : "Data(base64Encoded: \(string(data.base64EncodedString())))"
  }

  /// Texts by their keys, sorted; an empty dictionary is `[:]`.
  static func dictionary(_ entries: [String: String]) -> String {
    guard !entries.isEmpty else { return "[:]" }
    let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return "[" + sorted.map { "\(string($0.key)): \(string($0.value))" }.joined(separator: ", ") + "]"
  }

  /// True for a visible character: not a control, a change of direction or a line separator.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
    default: return true
    }
  }
}
