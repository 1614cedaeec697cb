import ArgumentParser
import ModelKit

/// A check of the command words, before the program parses their arguments.
enum SubcommandCheck {
  /// An unknown command word.
  struct Refusal {
    /// The command that does not have this subcommand.
    let path: String
    /// The cause, with similar commands.
    let message: String
  }

  /// The refusal of the first unknown command word, or nil if all words are known.
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
    let parent = path.split(separator: " ").dropFirst().joined(separator: " ")
    let kind = parent.isEmpty ? "command" : "subcommand of \(parent)"
    return Refusal(path: path, message: "“\(PrintableText.line(word))” is not a \(kind)\(advice)")
  }
}

/// The advice for a mistyped word of the command line.
enum NameAdvice {
  /// `; nearest: default`, or all words if there is no similar word.
  static func text(for word: String, among known: [String]) -> String {
    NearNames.clause(
      NearNames.close(to: word, among: known),
      else: "; choose \(known.count == 1 ? "" : "from ")\(known.joined(separator: ", "))")
  }
}
