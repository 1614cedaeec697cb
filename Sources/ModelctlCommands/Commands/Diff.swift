import ArgumentParser
import ModelKit

/// Compares two models, the models of two states of the project, or the objects of two stores.
struct Diff: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what changed between two models or stores, or on a branch.",
    usage: """
      modelctl diff <source> <destination> [--exit-code] [<options>]
             modelctl diff --base <revision> [<options>]
             modelctl diff <revision>..<revision> [<options>]
             modelctl diff <store> <store> --data [--match <name>] [<options>]
      """,
    discussion: """
      EXAMPLES
        modelctl diff v1 v2
        modelctl diff --base origin/main     what this branch does to the models
        modelctl diff v1.0..v2.0             the same between two revisions
        modelctl diff --base origin/main --format markdown
        modelctl diff HEAD~1:App/Model.xcdatamodeld App/Model.xcdatamodeld
        modelctl diff store.sqlite v3 --format json
        modelctl diff v1 v2 --plain          for a screen reader
        modelctl diff a.sqlite b.sqlite --data          the objects of two stores
        modelctl diff a.sqlite b.sqlite --data --match Customer.email
        modelctl diff a.sqlite b.sqlite --data --format html=diff.html

      Each change is shown with what it does to the entity's hash, whether
      Core Data infers a migration for it, and what happens to the rows.
      With --base, and between revisions, the current versions of every
      bundle are compared. With --data the objects of two stores of one
      version are: each is known by its key, or by what --match names.
      """)

  @OptionGroup var sides: ComparisonOptions

  @Flag(name: .customLong("exit-code"), help: "Exit with 1 when something changed.")
  var exitCode = false

  @OptionGroup var data: DataOptions
  @OptionGroup var plainness: PlainOption
  @OptionGroup var models: ModelOptions
  @OptionGroup var output: FormatOptions<DifferenceForm>
  @OptionGroup var color: ColorOption

  var reserved: ReservedFiles {
    ReservedFiles(stores: data.isAsked ? [sides.source, sides.destination].compactMap { $0 } : [])
  }

  func validate() throws {
    if data.isAsked, plainness.plain || sides.source == nil || sides.destination == nil {
      throw ValidationError("--data compares the objects of two stores; name both, and leave --base and --plain out")
    }
    if !data.isAsked, output.format.contains(where: { $0.form == .html }) {
      throw ValidationError("a page shows objects, with --data; pictures of models are made by modelctl diagram --html")
    }
    if sides.base != nil || sides.range != nil, !models.paths.isEmpty {
      throw ValidationError("--model names one model; a branch is compared with all its bundles")
    }
  }

  func run() throws {
    let isChanged: Bool
    switch (sides.source, sides.destination) {
    case (let source?, let destination?) where data.isAsked:
      isChanged = try output.write(data.report(from: source, to: destination, models))
    case (let source?, let destination?):
      isChanged = try output.write(models.workspace.compared(source, destination), isPlain: plainness.plain)
    default:
      isChanged = try sides.branchReport(in: models.workspace).map { try output.write($0) } ?? false
    }
    if exitCode, isChanged { throw CommandExit.findings }
  }
}
