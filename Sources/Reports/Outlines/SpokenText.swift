/// Words for what a voice would spell out or leave out.
enum SpokenText {
  /// The text with arrows, typographic quotation marks and dots of omission in words.
  static func of(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 > 0x7F }) else { return text }
    return text.replacing(" → ", with: " to ").replacing("→", with: " to ").replacing("“", with: "\"")
      .replacing("”", with: "\"").replacing(", …", with: " and more").replacing("…", with: "and so on")
      .replacing("’", with: "'")
  }

  /// A name in camel case as words: `defaultValue` is `default value`.
  static func words(inName name: String) -> String {
    var words = ""
    for character in name {
      if character.isUppercase, !words.isEmpty { words += " " }
      words += character.lowercased()
    }
    return words
  }

  /// A text that stands for itself, between quotation marks.
  static func quoted(_ text: String) -> String { text.isEmpty ? "empty text" : "\"\(text)\"" }
}
