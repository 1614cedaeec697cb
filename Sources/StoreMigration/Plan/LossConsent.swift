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

  /// What somebody runs to have a release or a draft recorded although it loses data.
  ///
  /// - Parameter command: the command without the consent.
  /// - Returns: the command with the options, or two commands around a file for many names.
  package func advice(for command: String) -> Advice {
    guard needsFile else { return "record it: \(command: "\(command) \(options)")" }
    return """
      write the names into a file with: \(command: "\(command) --losses \(Self.usualFile)"); take out what is not \
      meant, and record it with: \(command: "\(command) \(Self.option("@\(Self.usualFile)"))")
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
