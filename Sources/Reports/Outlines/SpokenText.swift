import ModelDescription

/// Words in place of signs that a voice would spell out or omit.
package enum SpokenText {
  /// A sentence as it is printed: with words in place of signs if the text is read aloud.
  package static func shown(_ text: String) -> String { TextWidth.isSpoken ? of(text) : text }

  /// A sentence of the program, with words in place of arrows and ellipses, and plain quotation marks.
  ///
  /// Text between quotation marks is data or a command, and is kept.
  ///
  /// - Parameter values: other data in the sentence, such as a path.
  static func of(_ text: String, keeping values: [String] = []) -> String {
    guard text.utf8.contains(where: { $0 > 0x7F }) else { return text }
    var spoken = ""
    var rest = Substring(text)
    // Each mark that nothing closes is searched for once.
    var unclosed: Set<Character> = []
    while let first = rest.first {
      if let value = values.first(where: { !$0.isEmpty && rest.hasPrefix($0) }) {
        spoken += value
        rest = rest.dropFirst(value.count)
      } else if let quotation = quotation(at: rest, after: spoken.last, &unclosed) {
        spoken += first == "“" ? "\"\(quotation.dropFirst().dropLast())\"" : String(quotation)
        rest = rest.dropFirst(quotation.count)
      } else if let (sign, words) = signs.first(where: { rest.hasPrefix($0.sign) }) {
        spoken += words
        rest = rest.dropFirst(sign.count)
      } else {
        spoken.append(first)
        rest = rest.dropFirst()
      }
    }
    return spoken
  }

  /// The signs in the program's sentences; an ellipsis occurs only after a comma.
  private static let signs = [(sign: " → ", words: " to "), (sign: ", …", words: " and more")]

  /// The text between quotation marks, including them; nil if there is none.
  private static func quotation(
    at text: Substring, after former: Character?, _ unclosed: inout Set<Character>
  ) -> Substring? {
    guard let mark = text.first, !unclosed.contains(mark), let end = ends[mark] else { return nil }
    // Within a word it is an apostrophe.
    if mark == "'", let former, former.isLetter || former.isNumber { return nil }
    let inner = text.dropFirst()
    guard let close = inner.indices.first(where: { inner[$0] == end && isEnd(inner, after: $0) }) else {
      unclosed.insert(mark)
      return nil
    }
    return text[...close]
  }

  private static let ends: [Character: Character] = ["“": "”", "\"": "\"", "'": "'"]

  /// Whether a word ends at a position.
  private static func isEnd(_ text: Substring, after position: Substring.Index) -> Bool {
    guard let next = text[position...].dropFirst().first else { return true }
    return !next.isLetter && !next.isNumber
  }

  /// A literal text, between quotation marks.
  static func quoted(_ text: String) -> String { text.isEmpty ? "empty text" : "\"\(text)\"" }
}
