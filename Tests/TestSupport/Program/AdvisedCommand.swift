import Foundation

/// Takes out of what the program prints the commands that it says to run.
///
/// A command stands on a line of its own below its words, between backticks, or behind a colon up to a semicolon or a
/// comma between words, or to the end of the line. At the start of a line it has the name of a command: a sentence can
/// begin there.
package enum AdvisedCommand {
  /// The commands of `modelctl` in a text, in their order.
  package static func all(in text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).flatMap { line in
      var rest = line[...]
      var commands: [String] = []
      while let found = rest.range(of: "modelctl ") {
        let lead = rest[..<found.lowerBound].trimmingCharacters(in: .whitespaces)
        let tail = rest[found.lowerBound...]
        if lead.hasSuffix("`") {
          commands.append(String(tail.prefix { $0 != "`" }))
        } else if lead.hasSuffix(":") || lead.isEmpty, beginsCommand(tail) {
          commands.append(words(of: tail))
        }
        rest = rest[found.upperBound...]
      }
      return commands.filter { $0.split(separator: " ").count > 1 }
    }
  }

  private static func beginsCommand(_ text: Substring) -> Bool {
    let words = text.split(separator: " ", maxSplits: 2)
    return words.count > 1 && Transcript.commandPages.contains(String(words[1]))
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

  /// The lines of a text, each advice as one of them: its words, with the commands that stand below them.
  package static func joinedLines(of text: String) -> [String] {
    var lines: [String] = []
    var depthOfAdvice = 0
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.drop { $0 == " " }
      let depth = line.count - words.count
      let isCommand = words.prefixMatch(of: /(?:modelctl|git|cp|mv|mkdir|rm|sqlite3)\b/) != nil
      if let last = lines.last, last.hasSuffix(":"), depth > 0, isCommand {
        lines[lines.count - 1] += " \(words)"
        depthOfAdvice = depth - 2
      } else if depth > 0, depth == depthOfAdvice {
        lines[lines.count - 1] += "; \(words)"
      } else {
        lines.append(String(line))
        depthOfAdvice = 0
      }
    }
    return lines
  }

  /// The commands of an advice that run before another of its commands, whose words begin with “Then”.
  package static func commandsBefore(_ command: String, in text: String) -> [String] {
    var before: [String] = []
    var isThen = false
    for line in text.split(whereSeparator: \.isNewline) {
      let found = all(in: String(line))
      let words = line.drop { $0 == " " }
      if found.isEmpty || !words.hasPrefix("modelctl ") {
        isThen = words.hasPrefix("Then ")
        if !isThen { before = [] }
      }
      if found.contains(command) { return isThen ? before : [] }
      before += found
    }
    return []
  }

  /// The commands of any program in a fix, those of each alternative together, in their order.
  ///
  /// A word such as “or” between two commands begins another alternative.
  package static func alternatives(in fix: String) -> [[String]] {
    var alternatives: [[String]] = []
    var rest = fix[...]
    while let found = rest.firstMatch(of: /: ((?:modelctl|git|cp|mv|mkdir|rm|sqlite3) )/) {
      let start = found.output.1.startIndex
      let command = words(of: rest[start...])
      let isOther = rest[..<found.range.lowerBound].contains(/\b[Oo]r\b|\bif it is another\b/)
      if isOther || alternatives.isEmpty { alternatives.append([]) }
      alternatives[alternatives.count - 1].append(command)
      rest = rest[rest.index(start, offsetBy: command.count)...]
    }
    return alternatives
  }

  /// True when a command has a word to be filled in, such as `STORE` or `Order.note=VALUE`, so that it runs in no shell.
  package static func hasPlaceholder(_ command: String) -> Bool { command.contains(/[ =](?:[A-Z]{4,})(?: |$)/) }

  /// The options in a text whose value is to be filled in, each with what stands before it on its line, and on the one
  /// before where it begins its line.
  package static func optionsToFillIn(in text: String) -> [(option: String, lead: String)] {
    var former = ""
    return text.split(whereSeparator: \.isNewline).flatMap { line in
      defer { former = String(line) }
      return line.matches(of: /(--[a-z][a-z-]*) (?:\S+=)?[A-Z]{4,}(?![A-Za-z.])/).map { match in
        let lead = String(line[..<match.range.lowerBound])
        return (String(match.output.1), lead.allSatisfy(\.isWhitespace) ? former : lead)
      }
    }
  }

  /// The subcommands that a line of shell runs, such as `mapping check`, as far as they can be told from arguments.
  package static func subcommands(of line: String) -> [String] {
    line.components(separatedBy: "modelctl ").dropFirst().map { rest in
      rest.split(separator: " ").prefix { $0.allSatisfy { $0.isLowercase || $0 == "-" } && !$0.hasPrefix("-") }
        .joined(separator: " ")
    }
  }
}
