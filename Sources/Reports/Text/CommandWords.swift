/// The commands and options that a sentence suggests, each taken as one word.
///
/// One stands behind a colon, or begins the sentence, and goes to a comma or a semicolon outside quotes, or to the end
/// of the line; or it stands between backticks.
enum CommandWords {
  typealias Word = (text: Substring, count: Int)

  /// Joins the words of each command.
  ///
  /// - Parameters:
  ///   - words: the words of the sentence with how many characters each has.
  ///   - sentence: the sentence, whose spaces a command keeps.
  /// - Returns: the words, fewer where there is a command.
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

  /// The position of the last word of a command.
  private static func end(ofCommandAt start: Int, in words: [Word], _ sentence: String) -> Int {
    if words[start].text.hasPrefix("`") {
      return words[(start + 1)...].firstIndex { $0.text.contains("`") } ?? start
    }
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
