/// A sentence on lines of at most the current width, each with a lead, so that it stays a comment or a paragraph.
enum WrappedText {
  /// Breaks a sentence at its spaces; line breaks in it are spaces too, a word that is too long stands alone.
  ///
  /// - Parameters:
  ///   - sentence: the sentence.
  ///   - lead: what the first line begins with.
  ///   - indent: what every other line begins with; the lead when nil.
  /// - Returns: at least one line.
  static func lines(_ sentence: String, lead: String, indent: String? = nil) -> [String] {
    let width = TextWidth.current
    var lines: [String] = []
    var line = lead
    var length = lead.count
    var isFresh = true
    for word in sentence.split(whereSeparator: \.isWhitespace) {
      let count = word.count
      if !isFresh, length + 1 + count > width {
        lines.append(line)
        (line, isFresh) = (indent ?? lead, true)
        length = line.count
      }
      line += isFresh ? "\(word)" : " \(word)"
      length += isFresh ? count : 1 + count
      isFresh = false
    }
    return lines + [line]
  }
}
