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

  @OptionGroup var data: DataOptions
  @OptionGroup var plainness: PlainOption
  @OptionGroup var models: ModelOptions
  @OptionGroup var output: FormatOptions<DifferenceForm>
  @OptionGroup var color: ColorOption

  var reserved: ReservedFiles {
    ReservedFiles(stores: data.isAsked ? [source, destination].compactMap { $0 } : [])
  }

  func validate() throws {
    if base != nil, let source { throw ValidationError("--base compares every bundle; leave “\(source)” out") }
    if base == nil, destination == nil, range == nil {
      throw ValidationError("name two models, two revisions such as v1.0..v2.0, or one with --base")
    }
    if data.isAsked, plainness.plain || source == nil || destination == nil {
      throw ValidationError("--data compares the objects of two stores; name both, and leave --base and --plain out")
    }
    if !data.isAsked, output.format.contains(where: { $0.form == .html }) {
      throw ValidationError("a page shows objects, with --data; pictures of models are made by modelctl diagram --html")
    }
    if base != nil || range != nil, !models.paths.isEmpty {
      throw ValidationError("--model names one model; a branch is compared with all its bundles")
    }
  }

  func run() throws {
    let isChanged: Bool
    if data.isAsked, let source, let destination {
      let report = try data.report(from: source, to: destination, models)
      try output.write(report)
      isChanged = !report.isEmpty
    } else if let source, let destination {
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
