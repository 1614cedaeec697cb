import Foundation

/// Encodes documents as JSON: keys sorted, one value per line, slashes not escaped.
public enum JSONText {
  /// Encodes a document, with a newline at the end.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot hold.
  public static func encode(_ document: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return closingEmpty(String(decoding: try encoder.encode(document), as: UTF8.self)) + "\n"
  }

  /// Encodes a document on a single line, with a newline at the end.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot hold.
  public static func line(_ document: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }

  /// Foundation spreads an empty list over three lines; no line break of a string is bare, so lines can be joined.
  private static func closingEmpty(_ json: String) -> String {
    var lines: [Substring] = []
    var isOpen = false
    for line in json.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty, let last = lines.last, last.hasSuffix("[") || last.hasSuffix("{") {
        isOpen = true
      } else if isOpen, let last = lines.popLast() {
        lines.append(last + line.drop { $0 == " " })
        isOpen = false
      } else {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }
}
