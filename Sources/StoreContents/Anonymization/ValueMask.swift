import MigrationSQL

/// What the values of all columns of an anonymous copy are made with.
struct ValueMask {
  let key: KeyedHash
  let texts: TextMask
  let shifts: [String: NumberShift]
  let expressions = RegularExpressions()
  /// Gives a file of external data another name and content, and returns the name.
  let externalFile: (_ name: String) throws -> String
  /// Gives the copy a file of external data as it is.
  let keptFile: (_ name: String) throws -> Void

  /// How many results are tried until one matches a regular expression.
  private static let tries = 12

  /// Another text that matches the same regular expressions.
  ///
  /// - Throws: ``AnonymizationError/noMatch(attribute:pattern:)``.
  func text(
    _ text: String, attribute: String, patterns: [String], variant: Int
  ) throws(AnonymizationError) -> String {
    let needed = patterns.filter { expressions.matchesWhole(text, $0) }
    guard let pattern = needed.first else { return texts.mask(text, variant: variant, style: .ofTry(variant)) }
    for style in [TextMask.Style.plain, .hexadecimal, .keepingLetters, .keepingDigits] {
      for number in 0..<Self.tries {
        let result = texts.mask(text, variant: variant &* Self.tries &+ number, style: style)
        if result != text, needed.allSatisfy({ expressions.matchesWhole(result, $0) }) { return result }
      }
    }
    if text.isEmpty { return text }
    throw .noMatch(attribute: attribute, pattern: pattern)
  }
}
