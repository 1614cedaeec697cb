import ArgumentParser
import ModelKit

/// Prints the statements of a migration.
struct Plan: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Print the SQL that migrates a store.",
    usage: """
      modelctl plan <store> [--to <version>] [<options>]
      modelctl plan --emit staged [<store>] [--to <version>] [--model <path>]
      """,
    discussion: """
      EXAMPLES
        modelctl plan store.sqlite
        modelctl plan store.sqlite --to v3 --format json
        modelctl plan store.sqlite --write-losses losses.txt
        modelctl plan --emit staged > StagedMigration.swift

      modelctl does not change the store. It prints each statement with its cause
      and the number of rows. Blockers are at the end, each with the option that
      resolves it.
      --write-losses writes the names of all data losses to a file. Read this file,
      delete the names of data that you want to keep, and pass it to
      --allow-data-loss @FILE.
      --emit staged prints Swift code for NSStagedMigrationManager: for all versions
      of the bundle, or from the version of a store.
      """)

  @Argument(help: "The store. --emit staged does not need it.")
  var store: StorePath?

  @Option(name: .long, help: "Print the SQL, or Swift code for NSStagedMigrationManager.")
  var emit = PlanFormat.sql

  @Option(
    name: .customLong("write-losses"),
    help: ArgumentHelp(
      "Write the names of all data losses to this file, and print no plan.", valueName: "file"))
  var losses: String?

  @Flag(
    name: .long, help: "Print complete binary values on a terminal too. Files and pipes always get complete values.")
  var full = false

  @OptionGroup var migration: MigrationArguments
  @OptionGroup(title: "Options for blockers and data loss") var consent: ConsentOptions
  @OptionGroup(title: "Store options") var waiting: WaitingOptions
  @OptionGroup(title: "Store options") var joinNames: JoinNameOptions
  @OptionGroup(title: "Mapping options") var mappings: MappingOptions
  @OptionGroup(title: "Mapping options") var policies: PolicyOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Store options") var configuration: ConfigurationOption
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var reserved: ReservedFiles { ReservedFiles(stores: store.map { [$0.text] } ?? []) }

  func validate() throws {
    if store == nil, emit == .sql { throw ValidationError("Missing expected argument '<store>'") }
    if losses != nil, emit == .staged || output.isForPrograms {
      throw ValidationError("--write-losses writes names and prints no plan; remove --emit and --format")
    }
    if emit == .staged, output.isForPrograms { throw ValidationError("--emit staged prints Swift; remove --format") }
  }

  func run() throws {
    let workspace = try models.workspace(configuration, mappings: mappings).load()
    let path = store?.text
    guard emit == .sql, let path else { return try workspace.printStages(of: path, to: migration.path.to) }
    let target = try workspace.target(of: path, to: migration.path.to, busyTimeout: waiting.busyTimeout)
    let names = try joinNames.names(among: target.versions)
    let settings = MigrationSettings(
      workspace: workspace, consent: try .read(consent, bundles: workspace.bundles), arguments: migration,
      policies: policies, busyTimeout: waiting.busyTimeout, names: names)
    let plan = try StorePlan.make(
      try settings.request(for: path, to: target), of: path,
      mirror: target.isReadWhole ? workspace.mirror(of: path) : nil,
      for: target, settings.consent)
    if let losses { return try plan.writeLosses(to: losses) }
    names.suggest(for: plan.prepared.selfJoins, of: target.destination)
    try plan.write(to: output, isFull: full || !Terminal.isOutput)
  }
}

/// The output of `plan`.
enum PlanFormat: String, ExpressibleByArgument, CaseIterable {
  /// The statements that `migrate` would run.
  case sql
  /// Swift for Core Data's own staged migration.
  case staged
}

extension LoadedWorkspace {
  /// Prints the Swift code of a staged migration.
  ///
  /// - Parameters:
  ///   - store: the path of a store, to begin at its version, or nil for all versions of the bundle.
  ///   - name: the destination version, or nil for the current version.
  /// - Throws: the errors of `stagedMigration(of:to:)`, and an exit code if there are no stages.
  func printStages(of store: String?, to name: String?) throws {
    do {
      let (staged, bundle) = try stagedMigration(of: store, to: name)
      try Console.standardOutput(StagedMigrationCode(staged, bundle: bundle).text)
    } catch let refusal as StagedMigrationRefusal {
      Console.standardError(ErrorMessage.text(refusal))
      throw CommandExit.failure
    }
  }
}

/// The plan of a single store, with its blockers in the words of this command.
struct StorePlan {
  let prepared: PreparedMigration
  private let blocked: MigrationBlocked
  private let request: MigrationRequest
  private let target: MigrationTarget
  private let consent: Consent
  private let store: String

  /// Plans a migration, and reports a failure.
  static func make(
    _ request: MigrationRequest, of store: String, mirror: StoreMirror?, for target: MigrationTarget, _ consent: Consent
  ) throws -> StorePlan {
    do {
      let (prepared, found) = try mirror?.plan(request) ?? StoreMigrator(request).plan()
      return StorePlan(
        prepared: prepared, blocked: found.namingOtherBundles(for: target), request: request, target: target,
        consent: consent, store: store)
    } catch {
      Console.standardError(ErrorMessage.text(error, about: store))
      throw CommandExit.code(for: error)
    }
  }

  /// Writes the plan, and ends the command with an error if there are blockers.
  ///
  /// - Parameters:
  ///   - output: the formats and their files.
  ///   - isFull: true to print long binary values completely.
  /// - Throws: ``CommandError/unwritable(path:reason:advice:)``, and an exit code if there are blockers.
  func write(to output: OutputOptions, isFull: Bool) throws {
    var blocked = blocked
    blocked.unrecordedNames = consent.unrecordedNames(of: blocked, request, for: target)
    let report = PlanReport(path: store, prepared, blocked, .measured(prepared, for: request))
    // The text is SQL that can run without changes.
    try output.write(.plan) { form in
      switch form {
      case .text: PrintableSQL.text(isFull ? report.text : report.shortText)
      case .json: try JSONText.encode(report)
      }
    }
    guard !blocked.isEmpty else { return }
    let count = Quantity.text(report.blockers.count, "obstacle")
    let place = TextStyle.current.isPlain ? "before its statements" : "at the end of the plan"
    let advice = ErrorMessage.consentFile(blocked, store).map { "  \($0)\n" } ?? ""
    Console.standardError(
      "error: \(store): modelctl refuses this plan: \(count), listed \(place)\n\(advice)")
    throw CommandExit.failure
  }

  /// Writes the names of the losses, with the allowed losses, and reports all other blockers.
  func writeLosses(to path: String) throws {
    try LossFile(path: path).write(blocked, consent, of: store)
    var rest = blocked
    rest.losses.removeAll()
    rest.blockers.removeAll(where: \.isLossOfValues)
    guard rest.isEmpty else {
      Console.standardError(ErrorMessage.text(rest, about: store))
      throw CommandExit.failure
    }
  }
}
