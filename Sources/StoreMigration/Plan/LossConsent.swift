public import MappingModels
public import MigrationSQL
package import ModelDescription
import PersistentStores

/// The names that somebody gives to consent to losses, each once, in the order in which they were found.
package struct LossConsent: Hashable, Sendable {
  /// The entities, and properties as `Entity.property`.
  package let names: [String]

  /// Takes names; those that come again are left out.
  package init(_ names: [String]) {
    var seen: Set<String> = []
    self.names = names.filter { seen.insert($0).inserted }
  }

  /// The option that stands for what the bundle's lock file has accepted.
  package static let lockOption = "--allow-data-loss @lock"

  /// The file that messages suggest for many names.
  package static let usualFile = "losses.txt"

  /// True when the names are so many that they belong in a file.
  package var needsFile: Bool { names.count >= 5 }

  /// The options that consent to every loss, as a shell takes them.
  package var options: String { names.map(Self.option).joined(separator: " ") }

  package static func option(_ name: String) -> String { "--allow-data-loss \(ShellWord(name).text)" }

  /// The advice to record a release or a draft although it loses data.
  ///
  /// - Parameter command: the program and its arguments without the names.
  /// - Returns: the command with the names as options; for many names, two commands with a file.
  package func advice(for command: [String]) -> Advice {
    guard needsFile else {
      let option = "--allow-data-loss"
      return "record \(names.count == 1 ? "the loss" : "the losses"): \(run: command + names.flatMap { [option, $0] })"
    }
    return """
      write the names into a file: \(run: command + ["--write-losses", Self.usualFile]); remove the names that you do not \
      intend, and record the rest: \(run: command + ["--allow-data-loss", "@\(Self.usualFile)"])
      """
  }
}

/// Data that a plan gives up, with the question that tells whether there is any.
public struct PlannedLoss: Hashable, Sendable {
  /// What is lost and by which name consent is given.
  public var loss: DataLoss
  /// Counts the values, links or rows that go.
  public var countQuery: SQLStatement

  /// True when what makes the loss is the consent to it: an option, or a mapping file that states it.
  var isImplied = false
}
