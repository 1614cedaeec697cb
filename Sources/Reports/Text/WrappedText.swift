/// A sentence on lines of at most 80 columns, each with a lead, so that it stays a comment or a paragraph.
enum WrappedText {
  /// The columns of a terminal that nobody has widened.
  static let width = 80

  /// Breaks a sentence at its spaces; line breaks in it are spaces too, a word that is too long stands alone.
  ///
  /// - Parameters:
  ///   - sentence: the sentence.
  ///   - lead: what the first line begins with.
  ///   - indent: what every other line begins with; the lead when nil.
  /// - Returns: at least one line.
  static func lines(_ sentence: String, lead: String, indent: String? = nil) -> [String] {
    var lines: [String] = []
    var line = lead
    var isFresh = true
    for word in sentence.split(whereSeparator: \.isWhitespace) {
      if !isFresh, line.count + 1 + word.count > width {
        lines.append(line)
        (line, isFresh) = (indent ?? lead, true)
      }
      line += isFresh ? "\(word)" : " \(word)"
      isFresh = false
    }
    return lines + [line]
  }
}
