import ArgumentParser
import ModelKit

/// Prints what a migration would run.
struct Plan: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Print the SQL that would migrate a store.",
    usage: """
      modelctl plan <store> [--to <version>] [<options>]
      modelctl plan --emit staged [<store>] [--to <version>] [--model <path>]
      """,
    discussion: """
      EXAMPLES
        modelctl plan store.sqlite
        modelctl plan store.sqlite --to v3 --format json
        modelctl plan store.sqlite --losses losses.txt
        modelctl plan --emit staged > StagedMigration.swift

      Each statement comes with its cause and the rows it touches. What
      stands in the way is listed last, with the option that lifts it.
      --losses writes the names of what would be lost into a file, which
      --allow-data-loss @FILE takes once somebody has read it.
      --emit staged prints Swift for NSStagedMigrationManager instead: all
      versions of the bundle, or those from a store's on.
      """)

  @Argument(help: "The store.")
  var store: StorePath?

  @Option(name: .long, help: "What to print: the SQL, or Swift for NSStagedMigrationManager.")
  var emit = PlanForm.sql

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write the names of what would be lost, for --allow-data-loss @FILE, and print no plan.", valueName: "file"))
  var losses: String?

  @Flag(name: .long, help: "Print long binary values whole on a terminal too, as in files and pipes.")
  var full = false

  @OptionGroup var migration: MigrationArguments
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var joinNames: JoinNameOptions
  @OptionGroup var mappings: MappingOptions
  @OptionGroup var policies: PolicyOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  var reserved: ReservedFiles { ReservedFiles(stores: store.map { [$0.text] } ?? []) }

  func validate() throws {
    if store == nil, emit == .sql { throw ValidationError("Missing expected argument '<store>'") }
    if losses != nil, emit == .staged || output.isForPrograms {
      throw ValidationError("--losses writes names and prints no plan; leave --emit and --format out")
    }
    if emit == .staged, output.isForPrograms { throw ValidationError("--emit staged prints Swift; leave --format out") }
  }

  func run() throws {
    let workspace = try models.workspace(configuration, mappings: mappings).load()
    let path = store?.text
    guard emit == .sql, let path else { return try workspace.printStages(of: path, to: migration.to) }
    let target = try workspace.target(of: path, to: migration.to, busyTimeout: waiting.busyTimeout)
    let settings = MigrationSettings(
      workspace: workspace, consent: try .read(consent, bundles: workspace.bundles), arguments: migration,
      policies: policies, busyTimeout: waiting.busyTimeout)
    let names = try joinNames.names(among: target.versions)
    let plan = try StorePlan.make(
      try settings.request(for: path, to: target, names), of: path, mirror: workspace.mirror(of: path),
      for: target, settings.consent)
    if let losses { return try plan.writeLosses(to: losses) }
    names.suggest(for: plan.prepared.selfJoins, of: target.destination)
    try plan.write(to: output, isFull: full || !Terminal.isOutput)
  }
}
