import Foundation

/// The colours of words and lines of a text on a terminal.
///
/// The text is finished before: broken at the terminal's width, with every control character written out. Colour is only
/// put around pieces of it, so that without the escape sequences the text is the same.
package struct TextColoring: Hashable, Sendable {
  /// A rule that colours a part of a line.
  struct Rule: Hashable, Sendable {
    enum Part: Hashable, Sendable {
      /// The complete line, if it begins with the piece.
      case line
      /// The piece, if the line begins with it after its indentation.
      case lead
      /// The first occurrence of the piece in the line, without the spaces and colons around it.
      case word
    }

    let part: Part
    let piece: String
    let color: TerminalColor
  }

  /// The rules; the first matching rule of a line is used.
  var rules: [Rule]
  /// Whether a line without indentation and without a matching rule is a heading.
  var hasHeadings = false
  /// The beginning of the line from which the rules apply; nil for the complete text.
  var start: String?

  /// The text with its colours.
  ///
  /// - Parameter text: the text as it is without colours.
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
  /// The line with its colour; nil if the rule does not match.
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

extension TextColoring {
  package static let messages = TextColoring(
    rules: severities.map { Rule(part: .lead, piece: "\($0):", color: $1) } + [
      Rule(part: .word, piece: ": conflict: ", color: .error)
    ])

  /// The findings of `check`.
  package static let findings = TextColoring(
    rules: [Rule(part: .line, piece: "    ", color: .aside), Rule(part: .lead, piece: "fix:", color: .success)]
      + severities.map { Rule(part: .word, piece: ": \($0): ", color: $1) })

  /// The changes between two models.
  package static let difference = TextColoring(
    rules: [
      Rule(part: .line, piece: "  added", color: .added), Rule(part: .line, piece: "  removed", color: .removed),
      Rule(part: .word, piece: " not inferable", color: .error),
      Rule(part: .lead, piece: "hint:", color: .note),
      Rule(part: .lead, piece: "Core Data infers the migration", color: .success),
      Rule(part: .word, piece: " cannot infer the migration:", color: .error),
      Rule(part: .word, piece: " → ", color: .changed), Rule(part: .line, piece: "new hashes: ", color: .aside),
      Rule(part: .line, piece: "removed hashes: ", color: .aside),
    ], hasHeadings: true)

  package static let plan = TextColoring(rules: [
    Rule(part: .line, piece: "-- refused", color: .error), Rule(part: .line, piece: "-- loses: ", color: .warning),
    Rule(part: .line, piece: "--", color: .aside),
  ])

  package static let status = TextColoring(
    rules: [
      Rule(part: .lead, piece: "current:", color: .success),
      Rule(part: .lead, piece: "needs migration", color: .warning),
      Rule(part: .lead, piece: "cannot be migrated", color: .error), Rule(part: .lead, piece: "note:", color: .note),
    ], hasHeadings: true)

  package static let verification = TextColoring(
    rules: [
      Rule(part: .word, piece: ": sound with warnings", color: .warning),
      Rule(part: .word, piece: ": sound (", color: .success),
      Rule(part: .word, piece: ": not sound", color: .error),
    ])

  package static let migration = TextColoring(rules: [
    Rule(part: .lead, piece: "note:", color: .note), Rule(part: .word, piece: ": migrated ", color: .success),
    Rule(part: .word, piece: ": would migrate ", color: .success),
    Rule(part: .word, piece: ": nothing to do,", color: .success),
  ])

  /// The possible migrations between versions.
  package static let matrix = TextColoring(
    rules: ["same:", "lightweight:", "staged:"].map { Rule(part: .lead, piece: $0, color: .success) } + [
      Rule(part: .lead, piece: "mapped:", color: .note), Rule(part: .lead, piece: "impossible:", color: .error),
    ], hasHeadings: true)

  package static let rehearsal = TextColoring(
    rules: [
      Rule(part: .lead, piece: "failure:", color: .error), Rule(part: .lead, piece: "note:", color: .note),
      Rule(part: .lead, piece: "refused:", color: .warning), Rule(part: .word, piece: ": failed,", color: .error),
      Rule(part: .word, piece: ": refused,", color: .warning), Rule(part: .word, piece: ": passed,", color: .success),
      Rule(part: .word, piece: ": passed;", color: .success),
    ])

  /// A unified diff after some lines of words.
  package static let unifiedDiff = TextColoring(
    rules: [
      Rule(part: .line, piece: "--- ", color: .heading), Rule(part: .line, piece: "+++ ", color: .heading),
      Rule(part: .line, piece: "@@", color: .note), Rule(part: .line, piece: "+", color: .added),
      Rule(part: .line, piece: "-", color: .removed),
    ], start: "--- ")

  package static let model = TextColoring(rules: [
    Rule(part: .line, piece: "entity ", color: .heading), Rule(part: .line, piece: "composite type ", color: .heading),
    Rule(part: .line, piece: "configuration ", color: .heading),
    Rule(part: .line, piece: "fetch request ", color: .heading),
  ])

  /// The setup of a project, with the lines of new files.
  package static let setup = TextColoring(rules: [
    Rule(part: .line, piece: "  + ", color: .added), Rule(part: .lead, piece: "note:", color: .note),
    Rule(part: .line, piece: "guarded from now on:", color: .success),
    Rule(part: .line, piece: "dry run:", color: .warning), Rule(part: .line, piece: "next:", color: .heading),
  ])

  private static let severities: [(String, TerminalColor)] = [
    ("error", .error), ("warning", .warning), ("note", .note),
  ]
}

/// The meaning of a piece of text on a terminal, with the colours of git and compilers.
///
/// Only colours that every terminal theme adapts to its background are used, so that the theme decides about contrast.
/// Plain blue and bright yellow are not used, because they are unreadable in many themes. The text does not depend on
/// colours.
package enum TerminalColor: Hashable, Sendable, CaseIterable {
  /// An error, a refusal, a conflict.
  case error
  /// A warning.
  case warning
  /// A note, a hint.
  case note
  /// A successful result.
  case success
  /// An added part.
  case added
  /// A removed part.
  case removed
  /// A changed part.
  case changed
  /// A heading of the following lines.
  case heading
  /// Less important text, such as a comment.
  case aside

  /// The parameters of the escape sequence (ECMA-48, Select Graphic Rendition).
  private var parameters: String {
    switch self {
    case .error: "1;31"
    case .warning, .changed: "33"
    case .note: "36"
    case .success, .added: "32"
    case .removed: "31"
    case .heading: "1"
    case .aside: "2"
    }
  }

  /// The text in the colour, and the terminal's own look after it.
  package func applied(to text: some StringProtocol) -> String { "\u{1B}[\(parameters)m\(text)\u{1B}[m" }
}
