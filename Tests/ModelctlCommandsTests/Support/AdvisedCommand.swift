import Foundation

/// Takes out of what the program prints the commands that it says to run.
///
/// A command stands between backticks, or behind a colon or at the start of a line up to a semicolon or a comma between
/// words, or to the end of the line.
enum AdvisedCommand {
  /// The commands of `modelctl` in a text, in their order.
  static func all(in text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).flatMap { line in
      var rest = line[...]
      var commands: [String] = []
      while let found = rest.range(of: "modelctl ") {
        let lead = rest[..<found.lowerBound].trimmingCharacters(in: .whitespaces)
        let tail = rest[found.lowerBound...]
        if lead.hasSuffix("`") {
          commands.append(String(tail.prefix { $0 != "`" }))
        } else if lead.isEmpty || lead.hasSuffix(":") {
          commands.append(words(of: tail))
        }
        rest = rest[found.upperBound...]
      }
      return commands.filter { $0.split(separator: " ").count > 1 }
    }
  }

  /// The words of a command up to the first that ends with a comma or a semicolon outside quotes.
  private static func words(of text: Substring) -> String {
    var isQuoted = false
    var isEscaped = false
    var command = ""
    for (position, character) in zip(text.indices, text) {
      if character == "'", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isQuoted && !isEscaped
      let next = text.index(after: position)
      let endsWord = next == text.endIndex || text[next] == " "
      if !isQuoted, endsWord, character == ";" || character == "," { return command }
      command.append(character)
    }
    return command
  }
}
