import ArgumentParser
import ModelKit

/// Prints what a migration would run.
struct Plan: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the SQL that would migrate a store.",
    usage: "modelctl plan <store> [--to <version>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl plan store.sqlite
        modelctl plan store.sqlite --to v3 --format json

      Each statement comes with its cause and the rows it touches. What
      stands in the way is listed last, with the option that lifts it.
      """)

  @Argument(help: "The store.")
  var store: StorePath

  @OptionGroup var migration: MigrationArguments
  @OptionGroup var mappings: MappingOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: OutputOptions

  func run() throws {
    let store = store.text
    let catalogue = try VersionCatalogue(models, configuration: configuration.configuration)
    let target = try catalogue.target(of: store, to: migration.to)
    try migration.checkNames(in: target.versions)
    let request = MigrationRequest(
      path: store, versions: target.versions, destination: target.destination,
      routes: try migration.routes(to: target, mappings: mappings, models: models), options: try migration.options(),
      busyTimeout: migration.busyTimeout)
    let prepared: PreparedMigration
    let obstacles: MigrationBlocked
    do {
      (prepared, obstacles) = try StoreMigrator(request).plan()
    } catch {
      Console.standardError(ErrorMessage.text(error, about: store))
      throw CommandExit.code(for: error)
    }
    let report = PlanReport(path: store, prepared, obstacles)
    try output.write(text: report.text, document: report)
    guard obstacles.isEmpty else {
      let count = Quantity.text(report.obstacles.count, "obstacle")
      Console.standardError("error: \(store): refused as it stands: \(count), told at the end of the plan\n")
      throw CommandExit.failure
    }
  }
}
