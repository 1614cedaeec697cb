import ArgumentParser
import ModelKit

/// Migrates stores.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Migrate stores: the old one or the new one, whole.",
    usage: "modelctl migrate <store> ... [--to <version>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl migrate store.sqlite
        modelctl migrate *.sqlite --to v3 --format json
        modelctl migrate store.sqlite --allow-data-loss Order.note
        modelctl migrate store.sqlite --dry-run    rehearse it on a copy

      What would lose data is refused until it is named. The result is
      verified before it is kept; Ctrl-C leaves the store as it was.
      """)

  @Argument(help: ArgumentHelp("The stores.", valueName: "store"))
  var stores: [StorePath]

  @OptionGroup var migration: MigrationArguments

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Keep the untouched original beside the store, or do not; without it, kept where a copy takes its place.")
  var backup: Bool?

  @Flag(name: .customLong("dry-run"), help: "Do everything on a copy and keep nothing.")
  var dryRun = false

  @OptionGroup var mappings: MappingOptions
  @OptionGroup var policies: PolicyOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: OutputOptions

  func run() throws {
    let catalogue = try VersionCatalogue(models, configuration: configuration.configuration)
    let options = try migration.options(policies)
    let interrupt = Interrupt()
    let loop = StoreLoop(stores, interrupt: interrupt, failed: MigrationReport.Store.init(path:error:)) { path in
      let target = try catalogue.target(of: path, to: migration.to, busyTimeout: migration.busyTimeout)
      try migration.checkNames(in: target.versions)
      let request = MigrationRequest(
        path: path, versions: target.versions, destination: target.destination,
        routes: try migration.routes(to: target, mappings: mappings, models: models), options: options,
        countsRows: output.isForPrograms, keepsBackup: backup, isRehearsal: dryRun, busyTimeout: migration.busyTimeout)
      let progress = ProgressLine()
      defer { progress.finish() }
      let outcome = try StoreMigrator(request).migrate(
        isInterrupted: { interrupt.isRaised }, report: { progress.show($0, of: path) })
      let entities = target.destination.hierarchy.model.entities.filter { !$0.isAbstract }.map(\.name)
      return MigrationReport.Store(outcome, entities: output.isForPrograms ? entities : [])
    }
    let report = MigrationReport(loop.entries)
    try output.write(text: report.text, document: report)
    try loop.check()
  }
}
