import ArgumentParser
import ModelKit

/// Prints what a migration would run.
struct Plan: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the SQL that would migrate a store, each statement with its cause; nothing is changed.",
    discussion: """
      EXAMPLES
        modelctl plan store.sqlite
        modelctl plan store.sqlite --to v3 --format json
      """)

  @Argument(help: "The store.")
  var store: String

  @OptionGroup var migration: MigrationArguments
  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let target = try MigrationTarget(of: store, in: try models.bundles(), to: migration.to)
    let request = MigrationRequest(
      path: store, versions: target.versions, destination: target.destination,
      routes: try migration.routes(to: target.destination), options: try migration.options(), busyTimeout: migration.busyTimeout)
    let (prepared, obstacles) = try StoreMigrator(request).plan()
    let report = PlanReport(path: store, prepared, obstacles)
    try output.write(text: report.text, document: report)
    if !obstacles.isEmpty { throw CommandExit.failure }
  }
}
