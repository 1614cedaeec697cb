import ArgumentParser
import ModelKit

/// Compares two models, or the models of two states of the project.
struct Diff: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what changed between two models, or on a branch.",
    usage: """
      modelctl diff <source> <destination> [--exit-code] [<options>]
             modelctl diff --base <revision> [<options>]
             modelctl diff <revision>..<revision> [<options>]
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

      Each change is shown with what it does to the entity's hash, whether
      Core Data infers a migration for it, and what happens to the rows.
      With --base, and between revisions, the current versions of every
      bundle are compared.
      """)

  @Argument(help: "The older model, or two revisions with .. between.")
  var source: String?

  @Argument(help: "The newer model.")
  var destination: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Compare every bundle with a revision of git, of which the merge base is taken.", valueName: "revision"))
  var base: String?

  @Flag(name: .customLong("exit-code"), help: "Exit with 1 when something changed.")
  var exitCode = false

  @OptionGroup var plainness: PlainOption
  @OptionGroup var models: ModelOptions
  @OptionGroup var output: FormatOptions<DifferenceForm>
  @OptionGroup var color: ColorOption

  func validate() throws {
    if base != nil, let source { throw ValidationError("--base compares every bundle; leave “\(source)” out") }
    if base == nil, destination == nil, range == nil {
      throw ValidationError("name two models, two revisions such as v1.0..v2.0, or one with --base")
    }
    if base != nil || range != nil, !models.paths.isEmpty {
      throw ValidationError("--model names one model; a branch is compared with all its bundles")
    }
  }

  func run() throws {
    let isChanged: Bool
    if let source, let destination {
      let models = try ComparedModels(models.resolveHierarchies(source, destination))
      try output.write(models, isPlain: plainness.plain)
      isChanged = !models.difference.changes.isEmpty
    } else {
      let report = try base.map(BranchReport.since) ?? range.map(BranchReport.between)
      try report.map(output.write)
      isChanged = report?.bundles.isEmpty == false
    }
    if exitCode, isChanged { throw CommandExit.findings }
  }

  /// The two revisions of `REV..REV`.
  private var range: RevisionRange? { destination == nil ? source.flatMap(RevisionRange.init) : nil }
}
