public import MappingModels
public import MigrationSQL
package import ModelDescription
import PersistentStores

/// The names that allow losses, each once, in the order in which they were found.
package struct LossConsent: Hashable, Sendable {
  /// The entities, and properties as `Entity.property`.
  package let names: [String]

  /// Takes names and leaves out repeated names.
  package init(_ names: [String]) {
    var seen: Set<String> = []
    self.names = names.filter { seen.insert($0).inserted }
  }

  /// The option that allows all losses that the bundle's lock file records.
  package static let lockOption = "--allow-data-loss @lock"

  /// The file name that messages suggest for many names.
  package static let usualFile = "losses.txt"

  /// True if there are too many names for a command line.
  package var needsFile: Bool { names.count >= 5 }

  /// The options that allow every loss, as a shell takes them.
  package var options: String { names.map(Self.option).joined(separator: " ") }

  /// The option that allows a loss.
  package static let optionName = "--allow-data-loss"

  /// The option for a single name, as a shell takes it.
  package static func option(_ name: String) -> String { "\(optionName) \(ShellWord(name).text)" }

  /// The advice to record a release or a draft although it loses data.
  ///
  /// - Parameter command: the program and its arguments without the names.
  /// - Returns: the command with the names as options; for many names, two commands with a file.
  package func advice(for command: [String]) -> Advice {
    guard needsFile else {
      let option = Self.optionName
      return "record \(names.count == 1 ? "the loss" : "the losses"): \(run: command + names.flatMap { [option, $0] })"
    }
    return """
      write the names into a file: \(run: command + ["--write-losses", Self.usualFile]); remove the names that you do not \
      intend, and record the rest: \(run: command + [Self.optionName, "@\(Self.usualFile)"])
      """
  }
}

/// Data that a plan deletes, with the query that counts it.
public struct PlannedLoss: Hashable, Sendable {
  /// The loss, with the name that allows it.
  public var loss: DataLoss
  /// Counts the values, links or rows that are deleted.
  public var countQuery: SQLStatement

  /// True if an option or a mapping file both causes and allows the loss.
  var isImplied = false
}
