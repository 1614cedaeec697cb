/// A sentence on lines of at most the current width, each with a lead, so that it stays a comment or a paragraph.
package enum WrappedText {
  /// Breaks a sentence at its spaces; line breaks in it are spaces too, a word that is too long stands alone.
  ///
  /// A command that a sentence suggests is one word, so that it can be copied from one line.
  ///
  /// - Parameters:
  ///   - sentence: the sentence.
  ///   - lead: what the first line begins with.
  ///   - indent: what every other line begins with; the lead when nil.
  /// - Returns: at least one line.
  package static func lines(_ sentence: String, lead: String, indent: String? = nil) -> [String] {
    let width = TextWidth.current
    var lines: [String] = []
    var line = lead
    var length = lead.count
    var isFresh = true
    for (word, count) in CommandWords.joined(words(of: sentence), of: sentence) {
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

  /// The words of a sentence with how many characters each has.
  private static func words(of sentence: String) -> [(text: Substring, count: Int)] {
    guard !mayHoldOtherSpaces(sentence) else {
      return sentence.split(whereSeparator: \.isWhitespace).map { ($0, $0.count) }
    }
    // Bytes are split and counted many times faster than characters.
    return sentence.utf8.split { $0 == 0x20 || (0x09...0x0C).contains($0) }.map { word in
      (Substring(word), word.allSatisfy { $0 < 0x80 } ? word.count : Substring(word).count)
    }
  }

  /// True where a byte may belong to a white space beyond ASCII, or to a line end of two characters.
  private static func mayHoldOtherSpaces(_ sentence: String) -> Bool {
    var sentence = sentence
    return sentence.withUTF8 { bytes in
      bytes.indices.contains { index in
        switch bytes[index] {
        case 0x0D, 0xC2, 0xE1, 0xE3: true
        case 0xE2: index + 1 == bytes.endIndex || bytes[index + 1] < 0x82
        default: false
        }
      }
    }
  }
}
