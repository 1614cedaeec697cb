import ArgumentParser
import ModelKit

/// Compares two models.
struct Diff: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Tell what changed between two models.",
    usage: "modelctl diff <former> <latter> [--exit-code] [<options>]",
    discussion: """
      EXAMPLES
        modelctl diff v1 v2
        modelctl diff HEAD~1:App/Model.xcdatamodeld App/Model.xcdatamodeld
        modelctl diff store.sqlite v3 --format json
        modelctl diff v1 v2 --plain      for a screen reader

      Each change is told with what it does to the entity's hash, whether
      Core Data infers a migration for it, and what happens to the rows.
      """)

  @Argument(help: "The older model.")
  var former: String

  @Argument(help: "The newer model.")
  var latter: String

  @Flag(name: .customLong("exit-code"), help: "Exit with 1 when something changed.")
  var exitCode = false

  @OptionGroup var plainness: PlainOption
  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func run() throws {
    let (old, new) = try models.resolveHierarchies(former, latter)
    let difference = ModelDifference(from: old.hierarchy, to: new.hierarchy)
    let report = DifferenceReport(from: old.name, old.hierarchy, to: new.name, new.hierarchy, difference)
    try output.write(
      text: plainness.plain ? report.plainText : report.text, document: report,
      coloring: plainness.plain ? nil : .difference)
    if exitCode, !difference.changes.isEmpty { throw CommandExit.findings }
  }
}
