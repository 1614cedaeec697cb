import Foundation
import TestSupport
import Testing

/// Runs the commands that messages suggest, and those that their messages suggest, each in a copy of the folder.
struct AdviceWalk {
  /// How many commands were run because a message suggested them.
  private(set) var count = 0
  private var seen: Set<String> = []
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
  mutating func follow(_ text: String, chain: [String], failed: Bool, in workspace: Workspace) throws {
    var left = limit
    for command in AdvisedCommand.all(in: text) {
      if failed {
        #expect(!chain.contains(command), "leads back: \(chain.joined(separator: " ⇒ ")) ⇒ \(command)\n\(text)")
      }
      guard left > 0, seen.insert(command).inserted else { continue }
      left -= 1
      count += 1
      let copy = try Workspace(copying: workspace)
      let result = try Modelctl.shell(command, in: copy)
      let output = result.standardOutput + result.standardError
      let trace = "\(chain.joined(separator: " ⇒ ")) ⇒ \(command) [\(result.status)]\n\(output.prefix(3000))"
      #expect((0...2).contains(result.status), "\(trace)")
      for words in ["no such entity or property", ": has no version “", "unknown option", "there is no such file"] {
        #expect(!output.contains(words), "\(trace)")
      }
      // A page of help has examples with names of its own.
      guard chain.count < 6, !command.hasSuffix(" --help") else { continue }
      try follow(output, chain: chain + [command], failed: result.status == 2, in: copy)
    }
  }

  /// Runs a command in the folder itself, and then what it suggests.
  ///
  /// - Parameters:
  ///   - line: a line of shell.
  ///   - workspace: where it runs.
  /// - Throws: when the program cannot be run.
  mutating func run(_ line: String, in workspace: Workspace) throws {
    let result = try Modelctl.shell(line, in: workspace)
    guard !line.contains("--help") else { return }
    try follow(
      result.standardOutput + result.standardError, chain: [line], failed: result.status == 2, in: workspace)
    seen.removeAll()
  }
}
