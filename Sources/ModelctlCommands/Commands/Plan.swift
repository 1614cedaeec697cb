import ArgumentParser
import ModelKit

/// Prints what a migration would run.
struct Plan: ParsableCommand {
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
        modelctl plan --emit staged > StagedMigration.swift

      Each statement comes with its cause and the rows it touches. What
      stands in the way is listed last, with the option that lifts it.
      --emit staged prints Swift for NSStagedMigrationManager instead: all
      versions of the bundle, or those from a store's on.
      """)

  @Argument(help: "The store.")
  var store: StorePath?

  @Option(name: .long, help: "What to print: the SQL, or Swift for NSStagedMigrationManager.")
  var emit = PlanForm.sql

  @OptionGroup var migration: MigrationArguments
  @OptionGroup var joinNames: JoinNameOptions
  @OptionGroup var mappings: MappingOptions
  @OptionGroup var policies: PolicyOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if store == nil, emit == .sql { throw ValidationError("Missing expected argument '<store>'") }
    if emit == .staged, output.isForPrograms { throw ValidationError("--emit staged prints Swift; leave --format out") }
  }

  func run() throws {
    let catalogue = try VersionCatalogue(models, configuration: configuration.configuration)
    guard emit == .sql, let store else { return try printStages(catalogue) }
    try printPlan(of: store.text, catalogue)
  }

  private func printStages(_ catalogue: VersionCatalogue) throws {
    let versions = try catalogue.way(of: store?.text, to: migration.to)
    let bundle = catalogue.versions.filter { $0.bundle == versions.first?.bundle }
    let (written, unusable) = try mappings.mappings(among: bundle, modelPath: models.model)
    do {
      let staged = try StagedMigration(through: versions, mappings: written, unusable: unusable)
      try Console.standardOutput(StagedMigrationCode(staged, bundle: versions.first?.bundleName ?? "").text)
    } catch let refusal as StagedMigrationRefusal {
      Console.standardError("error: \(refusal)\n")
      throw CommandExit.failure
    }
  }

  private func printPlan(of store: String, _ catalogue: VersionCatalogue) throws {
    let target = try catalogue.target(of: store, to: migration.to, busyTimeout: migration.busyTimeout)
    try migration.checkNames(in: target.versions)
    let names = try joinNames.names(among: target.versions)
    var request = MigrationRequest(
      path: store, versions: target.versions, destination: target.destination,
      routes: try migration.routes(to: target, mappings: mappings, models: models),
      options: try migration.options(policies), busyTimeout: migration.busyTimeout)
    request.references = try names.references(for: target.destination)
    let prepared: PreparedMigration
    let obstacles: MigrationBlocked
    do {
      (prepared, obstacles) = try StoreMigrator(request).plan()
    } catch {
      Console.standardError(ErrorMessage.text(error, about: store))
      throw CommandExit.code(for: error)
    }
    names.suggest(for: prepared.selfJoins, of: target.destination)
    let report = PlanReport(path: store, prepared, obstacles, MigrationForecast.measured(prepared, for: request))
    // The text is SQL that runs as it stands, so nothing in it is written otherwise.
    try output.write { form in
      switch form {
      case .text: report.text
      case .json: try JSONText.encode(report)
      }
    }
    guard obstacles.isEmpty else {
      let count = Quantity.text(report.obstacles.count, "obstacle")
      Console.standardError("error: \(store): refused as it stands: \(count), told at the end of the plan\n")
      throw CommandExit.failure
    }
  }
}
