import Foundation
import TestSupport
import Testing

/// Runs the commands that messages suggest, and those that their messages suggest, each in a copy of the folder.
///
/// A command that changed something is not suggested again by what suggested it.
struct AdviceWalk {
  /// How many commands were run because a message suggested them.
  private(set) var count = 0
  /// How many of them changed something, so that what suggested them ran again.
  private(set) var changes = 0
  /// How many options with a value to fill in were looked up.
  private(set) var placeholders = 0
  private var seen: Set<String> = []
  private var helps: [String: String] = [:]
  private let limit: Int

  /// Makes a walk.
  ///
  /// - Parameter limit: the most commands of one output that are run.
  init(limit: Int = .max) {
    self.limit = limit
  }

  /// Runs what a text suggests.
  ///
  /// - Parameters:
  ///   - text: what a command printed.
  ///   - chain: the commands that led to it, the last one having printed it.
  ///   - failed: true when the last one ended with an error.
  ///   - workspace: where it ran.
  /// - Throws: when the program cannot be run.
  mutating func follow(_ text: String, chain: [String], failed: Bool, in workspace: SampleFolder) throws {
    // The page of a rule has examples with names of its own.
    if chain.last?.contains(" --explain ") == true { return }
    var left = limit
    try checkOptions(in: text, of: chain.last ?? "", in: workspace)
    for command in AdvisedCommand.all(in: text) where !AdvisedCommand.hasPlaceholder(command) {
      if failed {
        #expect(!chain.contains(command), "leads back: \(chain.joined(separator: " ⇒ ")) ⇒ \(command)\n\(text)")
      }
      guard left > 0, seen.insert(command).inserted else { continue }
      left -= 1
      count += 1
      let copy = try SampleFolder(copying: workspace)
      for first in AdvisedCommand.commandsBefore(command, in: text) { _ = try Modelctl.shell(first, in: copy) }
      let before = try copy.contents()
      let result = try Modelctl.shell(command, in: copy)
      let output = result.standardOutput + result.standardError
      let trace = "\(chain.joined(separator: " ⇒ ")) ⇒ \(command) [\(result.status)]\n\(output.prefix(3000))"
      #expect((0...2).contains(result.status), "\(trace)")
      for words in ["there is no entity or property", " has no version “", "unknown option", "there is no such file"] {
        #expect(!output.contains(words), "\(trace)")
      }
      let last = chain.last ?? ""
      // Another form of the same command takes its place and leaves its cause.
      if result.status == 0, Self.isAlone(command, in: text), Self.isOther(command, than: last),
        try copy.contents() != before
      {
        changes += 1
        let again = try Modelctl.shell(last, in: copy)
        let advised = AdvisedCommand.all(in: again.standardOutput + again.standardError)
        #expect(!advised.contains(command), "\(trace)\n\(last) says so again:\n\(again)")
      }
      // A page of help has examples with names of its own.
      guard chain.count < 6, !command.hasSuffix(" --help") else { continue }
      try follow(output, chain: chain + [command], failed: result.status == 2, in: copy)
    }
  }

  /// False for a command that mends something together with others.
  private static func isAlone(_ command: String, in text: String) -> Bool {
    !AdvisedCommand.joinedLines(of: text).contains { line in
      AdvisedCommand.alternatives(in: line).contains { $0.count > 1 && $0.contains(command) }
    }
  }

  /// True for a command that is to mend what another one found, not to take its place, nor to make something beside it.
  private static func isOther(_ command: String, than last: String) -> Bool {
    let subcommands = AdvisedCommand.subcommands(of: command)
    return !last.isEmpty && subcommands != AdvisedCommand.subcommands(of: last)
      && subcommands != ["extract"] && subcommands != ["new-version"]
  }

  /// Checks what somebody fills in: the options must be those of the command that is suggested, of the one that printed
  /// the text, or, where the text says so, of `migrate`.
  private mutating func checkOptions(in text: String, of line: String, in workspace: SampleFolder) throws {
    for command in AdvisedCommand.all(in: text) where AdvisedCommand.hasPlaceholder(command) {
      for option in command.split(separator: " ") where option.hasPrefix("--") {
        #expect(try takes(String(option), in: command, workspace), "\(line): \(command)")
        placeholders += 1
      }
    }
    for (option, lead) in AdvisedCommand.optionsToFillIn(in: text) where !lead.contains("modelctl ") {
      let isOwn = try takes(option, in: line, workspace)
      let isOther = try Self.isForMigration(option, in: text) && takes(option, in: "modelctl migrate", workspace)
      #expect(isOwn || isOther, "\(line) takes no \(option): \(lead)")
      placeholders += 1
    }
  }

  /// True for an option in a sentence about a later migration, on any of its lines.
  private static func isForMigration(_ option: String, in text: String) -> Bool {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").components(separatedBy: "When you migrate, ")
      .dropFirst().contains { $0.components(separatedBy: ". ")[0].contains(": \(option) ") }
  }

  /// True when the help of one of the commands of a line has an option.
  private mutating func takes(_ option: String, in line: String, _ workspace: SampleFolder) throws -> Bool {
    try AdvisedCommand.subcommands(of: line).contains { words in
      var words = words.split(separator: " ").prefix(3)
      while !words.isEmpty {
        let name = words.joined(separator: " ")
        let help = try helps[name] ?? Modelctl.shell("modelctl \(name) --help", in: workspace).standardOutput
        helps[name] = help
        if help.contains("USAGE: modelctl \(name) ") {
          let lines = help.split(separator: "\n").map { $0.replacing(#/^  -[a-z], /#, with: "  ") }
          return lines.contains { $0.hasPrefix("  \(option) ") || $0 == "  \(option)" }
        }
        words.removeLast()
      }
      return false
    }
  }

  /// Runs a command in the folder itself, and then what it suggests.
  ///
  /// - Parameters:
  ///   - line: a line of shell.
  ///   - workspace: where it runs.
  ///   - store: the name of a file that differs from walk to walk. Advice that does not name it is run once for all.
  /// - Throws: when the program cannot be run.
  mutating func run(_ line: String, in workspace: SampleFolder, about store: String? = nil) throws {
    let result = try Modelctl.shell(line, in: workspace)
    guard !line.contains("--help") else { return }
    try follow(
      result.standardOutput + result.standardError, chain: [line], failed: result.status == 2, in: workspace)
    // An advised command that does not name the store does the same beside the next one.
    seen = store.map { store in seen.filter { !$0.contains(store) } } ?? []
  }
}
