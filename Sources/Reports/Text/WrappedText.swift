import ModelDescription

/// Breaks a sentence into lines of the current width, each with a prefix, for comments and paragraphs.
package enum WrappedText {
  /// Breaks a sentence at its spaces and line breaks; a word that is too long has its own line.
  ///
  /// A suggested command is one word, so that you can copy it from a single line.
  ///
  /// - Parameter indent: the prefix of further lines; nil to use the lead.
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

  /// Whether a byte may belong to white space beyond ASCII, or to a line end of two characters.
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

/// The commands and options in a sentence, each joined into one word.
///
/// A command follows a colon or begins the sentence, and ends at a comma or a semicolon outside quotes, or at the end
/// of the line; or it is between backticks.
enum CommandWords {
  typealias Word = (text: Substring, count: Int)

  /// Joins the words of each command.
  ///
  /// - Parameter words: the words of the sentence, with their numbers of characters.
  /// - Returns: the words, with each command as one word.
  static func joined(_ words: [Word], of sentence: String) -> [Word] {
    guard words.indices.contains(where: { beginsCommand(at: $0, in: words) }) else { return words }
    var joined: [Word] = []
    var position = words.startIndex
    while position < words.endIndex {
      let end = beginsCommand(at: position, in: words) ? end(ofCommandAt: position, in: words, sentence) : position
      if end == position {
        joined.append(words[position])
      } else {
        let text = sentence[words[position].text.startIndex..<words[end].text.endIndex]
        joined.append((text, text.count))
      }
      position = end + 1
    }
    return joined
  }

  private static func beginsCommand(at position: Int, in words: [Word]) -> Bool {
    let word = words[position].text.utf8
    guard let first = word.first else { return false }
    switch first {
    case UInt8(ascii: "`"): return word.elementsEqual("`modelctl".utf8)
    case UInt8(ascii: "m"): guard word.elementsEqual("modelctl".utf8) else { return false }
    case UInt8(ascii: "-"): guard word.starts(with: "--".utf8), word.count > 2 else { return false }
    default: return false
    }
    return position == words.startIndex || words[position - 1].text.utf8.last == UInt8(ascii: ":")
  }

  private static func end(ofCommandAt start: Int, in words: [Word], _ sentence: String) -> Int {
    if words[start].text.hasPrefix("`") { return words[(start + 1)...].firstIndex { $0.text.contains("`") } ?? start }
    var isQuoted = false
    for position in start..<words.endIndex {
      if position > start, !isQuoted {
        let gap = sentence[words[position - 1].text.endIndex..<words[position].text.startIndex]
        if gap.contains(where: \.isNewline) { return position - 1 }
      }
      var isEscaped = false
      for character in words[position].text {
        if character == "'", !isEscaped { isQuoted.toggle() }
        isEscaped = character == "\\" && !isQuoted && !isEscaped
      }
      if !isQuoted, let last = words[position].text.last, last == ";" || last == "," { return position }
    }
    return words.endIndex - 1
  }
}
