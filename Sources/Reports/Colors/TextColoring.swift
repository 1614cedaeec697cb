import Foundation

/// Which words and lines of a document are coloured on a terminal.
///
/// The text is finished before: broken at the terminal's width, with every control character written out. Colour is only
/// put around pieces of it, so that without the escape sequences the text is the same.
package struct TextColoring: Hashable, Sendable {
  /// What is coloured where a line fits.
  struct Rule: Hashable, Sendable {
    enum Part: Hashable, Sendable {
      /// The whole line where it begins with the piece.
      case line
      /// The piece where the line begins with it, behind any indentation.
      case lead
      /// The piece where it stands first in the line, without the spaces and colons around it.
      case word
    }

    let part: Part
    let piece: String
    let color: TerminalColor
  }

  /// The rules; the first that fits a line is taken.
  var rules: [Rule]
  /// True where a line without indentation that no rule fits is a heading.
  var hasHeadings = false
  /// The beginning of the line from which on the rules hold, nil for all of the text.
  var start: String?

  /// The text with its colours.
  ///
  /// - Parameter text: the text as it is without colours.
  /// - Returns: the same with escape sequences.
  package func colored(_ text: String) -> String {
    var hasStarted = start == nil
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if let start, line.hasPrefix(start) { hasStarted = true }
      return hasStarted ? colored(line: line) : String(line)
    }.joined(separator: "\n")
  }

  private func colored(line: Substring) -> String {
    guard !line.isEmpty else { return "" }
    for rule in rules {
      if let colored = rule.colored(line) { return colored }
    }
    return hasHeadings && line.first != " " ? TerminalColor.heading.applied(to: line) : String(line)
  }
}

extension TextColoring.Rule {
  /// The line with its colour, nil where the rule does not fit it.
  fileprivate func colored(_ line: Substring) -> String? {
    switch part {
    case .line: return line.hasPrefix(piece) ? color.applied(to: line) : nil
    case .lead:
      let indent = line.prefix { $0 == " " }
      let rest = line.dropFirst(indent.count)
      guard rest.hasPrefix(piece) else { return nil }
      return indent + color.applied(to: piece) + rest.dropFirst(piece.count)
    case .word:
      guard let range = line.range(of: piece) else { return nil }
      let isAround: (Character) -> Bool = { $0 == " " || $0 == ":" || $0 == "," }
      let head = piece.prefix(while: isAround)
      let tail = String(piece.reversed().prefix(while: isAround).reversed())
      let word = piece.dropFirst(head.count).dropLast(tail.count)
      return line[..<range.lowerBound] + head + color.applied(to: word) + tail + line[range.upperBound...]
    }
  }
}
