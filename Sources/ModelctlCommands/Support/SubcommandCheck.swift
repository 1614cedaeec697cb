import ArgumentParser
import ModelKit

/// Looks whether the words that lead to a command name one, before its arguments are parsed.
enum SubcommandCheck {
  /// A word that names no command.
  struct Refusal {
    /// The words of the command that has no such subcommand.
    let path: String
    /// What is wrong, and what is near.
    let message: String
  }

  /// What is wrong with the first word that names no command; nil when they all do.
  static func objection(to arguments: [String]) -> Refusal? {
    let isHelp = arguments.first == "help"
    return objection(to: isHelp ? arguments.dropFirst() : arguments[...], of: Modelctl.self, "modelctl", isHelp)
  }

  private static func objection(
    to words: ArraySlice<String>, of command: any ParsableCommand.Type, _ path: String, _ isHelp: Bool
  ) -> Refusal? {
    guard let word = words.first, !word.hasPrefix("-") else { return nil }
    let subcommands = command.configuration.subcommands
    if subcommands.isEmpty, !isHelp { return nil }
    let known = subcommands.map { $0.configuration.commandName ?? "" }
    if let position = known.firstIndex(of: word) {
      return objection(to: words.dropFirst(), of: subcommands[position], "\(path) \(word)", isHelp)
    }
    let advice = known.isEmpty ? "; see: \(path) --help" : NameAdvice.text(for: word, among: known)
    let place = path.split(separator: " ").dropFirst().joined(separator: " ")
    let kind = place.isEmpty ? "command" : "subcommand of \(place)"
    return Refusal(path: path, message: "“\(PrintableText.line(word))” is no \(kind)\(advice)")
  }
}

/// What to say to somebody who mistyped a word of the command line.
enum NameAdvice {
  /// `; nearest: default`, or all words where none is near.
  static func text(for word: String, among known: [String]) -> String {
    NearNames.clause(
      NearNames.close(to: word, among: known),
      else: "; there \(known.count == 1 ? "is" : "are") \(known.joined(separator: ", "))")
  }
}
