import ArgumentParser
import ModelKit

/// Migrates stores.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Migrate stores to a version of their model; a store is the old one or the new one, whole.",
    discussion: """
      EXAMPLES
        modelctl migrate store.sqlite
        modelctl migrate *.sqlite --to v3 --format json
        modelctl migrate store.sqlite --allow-data-loss Order.note
        modelctl migrate store.sqlite --dry-run     do everything on a copy and keep nothing
      """)

  @Argument(help: "The stores.")
  var stores: [String]

  @OptionGroup var migration: MigrationArguments

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Keep the untouched original; a copy that takes the store's place keeps it anyway.")
  var backup: Bool?

  @Flag(name: .customLong("dry-run"), help: "Do everything on a copy and keep nothing.")
  var dryRun = false

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let bundles = try models.bundles()
    let options = try migration.options()
    let interrupt = Interrupt()
    var reports: [MigrationReport.Store] = []
    var errors: [any Error] = []
    for path in stores where !interrupt.isRaised {
      let progress = ProgressLine(store: path)
      do {
        let target = try MigrationTarget(of: path, in: bundles, to: migration.to)
        let request = MigrationRequest(
          path: path, versions: target.versions, destination: target.destination,
          routes: try migration.routes(to: target.destination), options: options, countsRows: output.isForPrograms, keepsBackup: backup, isRehearsal: dryRun,
          busyTimeout: migration.busyTimeout)
        let outcome = try StoreMigrator(request).migrate(
          isInterrupted: { interrupt.isRaised }, report: progress.show)
        progress.finish()
        reports.append(MigrationReport.Store(outcome))
      } catch {
        progress.finish()
        errors.append(error)
        reports.append(MigrationReport.Store(path: path, error: error))
        Console.standardError("error: \(Self.words(error, path))\n")
      }
    }
    let report = MigrationReport(reports)
    try output.write(text: report.text, document: report)
    if !errors.isEmpty { throw CommandExit.code(for: errors) }
  }

  /// What rows stand in the way is told under one line that names the store.
  private static func words(_ error: any Error, _ path: String) -> String {
    guard let blocked = error as? MigrationBlocked else { return "\(error)" }
    let lines = "\(blocked)".split(separator: "\n").map { "  \($0)" }
    return "\(path): refused, the store is as it was\n\(lines.joined(separator: "\n"))"
  }
}
