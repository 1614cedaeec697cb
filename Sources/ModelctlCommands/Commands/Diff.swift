import ArgumentParser
import ModelKit

/// Compares two models, the models of two states of the project, or the objects of two stores.
struct Diff: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two models, two revisions or two stores.",
    usage: """
      modelctl diff <source> <destination> [--exit-code] [<options>]
      modelctl diff --base <revision> [<options>]
      modelctl diff <revision>..<revision> [<options>]
      modelctl diff <store> <store> --data [--match <name>] [<options>]
      """,
    discussion: """
      EXAMPLES
        modelctl diff v1 v2
        modelctl diff --base origin/main     the changes of your branch
        modelctl diff v1.0..v2.0             the changes between two revisions
        modelctl diff --base origin/main --format markdown
        modelctl diff HEAD~1:App/Model.xcdatamodeld App/Model.xcdatamodeld
        modelctl diff store.sqlite v3 --format json
        modelctl diff v1 v2 --plain          for a screen reader
        modelctl diff a.sqlite b.sqlite --data          the objects of two stores
        modelctl diff a.sqlite b.sqlite --data --match Customer.email
        modelctl diff a.sqlite b.sqlite --data --format html=diff.html

      For each change modelctl shows its effect on the entity's hash, whether
      Core Data infers a migration, and its effect on the rows. With --base, or
      between two revisions, it compares the current version of every bundle.
      With --data it compares the objects of two stores of the same version.
      --format html needs --data. To draw two models, run: modelctl diagram
      """)

  @OptionGroup var sides: ComparisonOptions

  @Flag(name: .customLong("exit-code"), help: "Exit with 1 if there are changes.")
  var exitCode = false

  @OptionGroup(title: "Data options") var data: DataOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var output: FormatOptions<DifferenceFormat>
  @OptionGroup(title: "Output options") var style: StyleOptions

  var reserved: ReservedFiles {
    ReservedFiles(stores: data.isAsked ? [sides.source, sides.destination].compactMap { $0 } : [])
  }

  func validate() throws {
    if data.isAsked, sides.source == nil || sides.destination == nil {
      throw ValidationError("--data compares the objects of two stores; name both stores, and remove --base")
    }
    if !data.isAsked, output.format.contains(where: { $0.form == .html }) {
      throw ValidationError(
        "--format html needs --data; for a page with two models, run: modelctl diagram v1 v2 --html")
    }
    if sides.base != nil || sides.range != nil, !models.paths.isEmpty {
      throw ValidationError("--base and a range compare all bundles; remove --model")
    }
  }

  func run() throws {
    let isChanged: Bool
    switch (sides.source, sides.destination) {
    case (let source?, let destination?) where data.isAsked:
      isChanged = try output.write(data.report(from: source, to: destination, models))
    case (let source?, let destination?):
      isChanged = try output.write(models.workspace.compared(source, destination), isPlain: style.isPlain)
      let sides = [source, destination]
      if !isChanged, sides.allSatisfy({ StoreFiles.beginsAsDatabase($0) || StoreKinds.kind(ofFile: $0) != nil }) {
        Console.note("only the models are compared; to compare the objects, add --data")
      }
    default: isChanged = try sides.branchReport(in: models.workspace).map { try output.write($0) } ?? false
    }
    if exitCode, isChanged { throw CommandExit.findings }
  }
}

/// The two sides of `diff`: two models or stores, or two states of the project.
struct ComparisonOptions: ParsableArguments {
  @Argument(
    help: "The source model, or two git revisions as FROM..TO. For the forms of a model, see modelctl help show.")
  var source: String?

  @Argument(help: "The destination model.")
  var destination: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Compare every bundle with the merge base of this git revision and HEAD.", valueName: "revision"))
  var base: String?

  func validate() throws {
    if base != nil, let source { throw ValidationError("--base compares every bundle; remove “\(source)”") }
    if base == nil, destination == nil, range == nil {
      throw ValidationError("name two models, a range of revisions such as v1.0..v2.0, or a revision with --base")
    }
  }

  /// The two revisions of `REV..REV`.
  var range: RevisionRange? { destination == nil ? source.flatMap(RevisionRange.init) : nil }

  /// The changes in the bundles of the project, or nil if the arguments are two models.
  func branchReport(in workspace: Workspace) throws -> BranchReport? {
    if let base { return try workspace.branchReport(since: base) }
    return try range.map(workspace.branchReport(between:))
  }
}

/// The formats of `diff`.
enum DifferenceFormat: String, FormatOption {
  case text
  case json
  case markdown
  case html

  static let namesFiles = true
}

extension FormatOptions<DifferenceFormat> {
  /// Writes the changes between two models.
  ///
  /// - Parameter isPlain: true for plain text, which suits a screen reader.
  /// - Returns: true if there are changes.
  func write(_ models: ComparedModels, isPlain: Bool) throws -> Bool {
    try write(isPlain ? nil : .difference) { form in
      switch form {
      case .text: PrintableText.escaped(isPlain ? models.report.plainText : models.report.text)
      case .json: try JSONText.encode(models.report)
      case .markdown:
        BranchReport(base: models.source.name, [models.bundle(path: models.destination.name)]).markdown
      // This format needs objects.
      case .html: ""
      }
    }
    return !models.step.changes.isEmpty
  }

  /// Writes the changes in the bundles of a project, and returns true if there are changes.
  func write(_ report: BranchReport) throws -> Bool {
    try write(.difference) { form in
      switch form {
      case .text: PrintableText.escaped(report.text)
      case .json: try JSONText.encode(report)
      case .markdown: report.markdown
      // This format needs objects.
      case .html: ""
      }
    }
    return !report.bundles.isEmpty
  }

  /// Writes the differences between the objects of two stores, and returns true if there are differences.
  func write(_ report: DataDifferenceReport) throws -> Bool {
    try write(.difference) { form in
      switch form {
      case .text: PrintableText.escaped(report.text)
      case .json: try JSONText.encode(report)
      case .markdown: report.markdown
      case .html: report.html
      }
    }
    return !report.isEmpty
  }
}

/// The options to compare the objects of two stores.
struct DataOptions: ParsableArguments {
  @Flag(
    name: .customLong("data"),
    help: "Compare the objects of two stores instead of their models. Both stores must have the same version.")
  var isAsked = false

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "With --data, match the objects of both stores by key (primary key), by unique (uniqueness constraints), or by an attribute such as Customer.email. You can repeat this option. (default: key)",
      valueName: "name"))
  var match: [String] = []

  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var configuration: ConfigurationOption

  func validate() throws {
    guard isAsked || match.isEmpty else { throw ValidationError("--match needs --data") }
  }

  /// Compares the objects of two stores.
  func report(from source: String, to destination: String, _ models: ModelOptions) throws -> DataDifferenceReport {
    let interrupt = Interrupt()
    return try interrupt.showingTime(of: "\(source), \(destination): comparing objects") {
      try models.workspace(configuration).load().dataDifference(
        from: source, to: destination, matching: match, busyTimeout: waiting.busyTimeout,
        interruption: { interrupt.isRaised })
    }
  }
}
