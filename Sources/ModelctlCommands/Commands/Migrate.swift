import ArgumentParser
import Foundation
import ModelKit

/// Migrates stores.
struct Migrate: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrate stores: the old one or the new one, whole.",
    usage: "modelctl migrate <store or folder> ... [--to <version>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl migrate store.sqlite
        modelctl migrate *.sqlite --to v3 --format json
        modelctl migrate store.sqlite --allow-data-loss Order.note
        modelctl migrate store.sqlite --dry-run    rehearse it on a copy
        modelctl migrate Stores --jobs 8           all stores in a folder
        modelctl migrate store.sqlite --report migration.html

      What would lose data is refused until it is named. The result is
      verified before it is kept; Ctrl-C leaves the store as it was. Of many
      stores one failure never stops the others, a journal remembers what is
      done, and the same command goes on from there; see docs/fleet.md.
      """)

  @Argument(help: ArgumentHelp("The stores, and folders to look for stores in.", valueName: "store"))
  var stores: [StorePath]

  @OptionGroup var migration: MigrationArguments

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Keep the original as a backup, or keep none; otherwise one is kept when a copy replaces it or data is lost.")
  var backup: Bool?

  @Flag(name: .customLong("dry-run"), help: "Do everything on a copy and keep nothing.")
  var dryRun = false

  @OptionGroup var report: ReportOption
  @OptionGroup var fleet: FleetOptions
  @OptionGroup var joinNames: JoinNameOptions
  @OptionGroup var mappings: MappingOptions
  @OptionGroup var policies: PolicyOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    if dryRun, fleet.journal != nil {
      throw ValidationError("--dry-run keeps nothing, so that there is nothing to remember: leave --journal out")
    }
  }

  func run() throws {
    try report.check(against: reserved())
    let recorder = MigrationRecorder(decisions: migration.decisions, isWanted: report.path != nil)
    do {
      try migrate(recorder)
    } catch {
      recorder.end(error is ExitCode ? nil : "ended by an error: \(error)")
      do {
        try report.write(recorder.record)
      } catch let failure {
        Console.standardError(ErrorMessage.text(failure))
      }
      throw error
    }
    recorder.end()
    try report.write(recorder.record)
  }

  /// The files that the report must not be.
  private func reserved() throws -> ReservedFiles {
    let paths = stores.map(\.text)
    let journal = fleet.isWanted(for: paths) && !dryRun ? try journalPath(for: paths) : nil
    return ReservedFiles(stores: paths, journal: journal, outputs: output.format.compactMap(\.file))
  }

  private func journalPath(for paths: [String]) throws -> String? {
    try fleet.journal ?? FleetMigration.journalPath(for: paths, shard: fleet.shard())
  }

  private func migrate(_ recorder: MigrationRecorder) throws {
    let catalogue = try VersionCatalogue(models, configuration: configuration.configuration)
    let consent = try Consent(migration.consent, bundles: catalogue.bundles)
    let names = try joinNames.names(among: catalogue.versions)
    let interrupt = Interrupt()
    let paths = stores.map(\.text)
    if fleet.isWanted(for: paths) {
      return try migrateMany(paths, among: catalogue, consent, names, interrupt, recorder)
    }
    var isRecorded = false
    let loop = StoreLoop(
      stores, interrupt: interrupt,
      failed: { path, error in
        if !isRecorded { recorder.add(path: path, error: error) }
        isRecorded = false
        return MigrationReport.Store(path: path, error: error)
      }
    ) { path in
      let target = try catalogue.target(of: path, to: migration.to, busyTimeout: migration.busyTimeout)
      let options = try migration.options(policies, consent, for: target)
      let routes = try migration.routes(to: target, mappings: mappings, models: models)
      let countsRows = output.isForPrograms || report.path != nil
      var request = request(for: path, to: target, routes, options, countsRows: countsRows)
      request.references = try names.references(for: target.destination)
      let migrator = StoreMigrator(request)
      let begin = Date()
      do {
        let outcome = try migrate(migrator, interrupt)
        names.suggest(for: outcome.selfJoins, of: target.destination)
        recorder.add(outcome, among: target, seconds: Date().timeIntervalSince(begin))
        let entities = target.destination.hierarchy.model.entities.filter { !$0.isAbstract }.map(\.name)
        return MigrationReport.Store(outcome, entities: output.isForPrograms ? entities : [])
      } catch {
        let seconds = Date().timeIntervalSince(begin)
        let prepared = report.path == nil || interrupt.isRaised ? nil : try? migrator.plan().prepared
        recorder.add(path: path, error: error, prepared: prepared, among: target, seconds: seconds)
        isRecorded = true
        throw consent.explaining(error, request, for: target)
      }
    }
    if interrupt.isRaised { recorder.stop(before: Array(paths.dropFirst(loop.entries.count))) }
    let document = MigrationReport(loop.entries)
    try output.write(text: document.text, document: document, coloring: .migration)
    try loop.check()
  }

  private func migrate(_ migrator: StoreMigrator, _ interrupt: Interrupt) throws -> MigrationOutcome {
    let progress = ProgressLine()
    defer { progress.finish() }
    return try migrator.migrate(
      isInterrupted: { interrupt.isRaised }, report: { progress.show($0, of: migrator.request.path) })
  }

  private func request(
    for path: String, to target: MigrationTarget, _ routes: MigrationRoutes, _ options: MigrationOptions,
    countsRows: Bool = false
  ) -> MigrationRequest {
    MigrationRequest(
      path: path, versions: target.versions, destination: target.destination, routes: routes, options: options,
      countsRows: countsRows, keepsBackup: backup, isRehearsal: dryRun, busyTimeout: migration.busyTimeout)
  }

  /// Names and versions that are wrong for every store are told once, before any is looked at.
  private func migrateMany(
    _ paths: [String], among catalogue: VersionCatalogue, _ consent: Consent, _ names: JoinNames,
    _ interrupt: Interrupt, _ recorder: MigrationRecorder
  ) throws {
    let shared = SharedRoutes { try migration.routes(to: $0, mappings: mappings, models: models) }
    let known = catalogue.versions.map(\.hierarchy)
    try migration.checkNames(in: known)
    try consent.check(in: known, orIn: paths)
    let options = try migration.options(policies)
    let bundles = try catalogue.bundlesVersions()
    if bundles.count == 1 {
      for target in try catalogue.targets(to: migration.to) { _ = try shared.routes(to: target) }
    }
    let shard = try fleet.shard()
    let journal = dryRun ? nil : try journalPath(for: paths)
    let jobs = fleet.jobs ?? min(128, ProcessInfo.processInfo.activeProcessorCount)
    let run = FleetRun(
      fleet: FleetMigration(
        places: paths, shard: shard, jobs: jobs,
        goal: catalogue.goal(to: migration.to, configuration: configuration.configuration)),
      journalPath: journal, output: try FleetOutput(output), interrupt: interrupt,
      recorder: recorder)
    try run.run { store in
      let target = try catalogue.target(of: store.path, to: migration.to, busyTimeout: migration.busyTimeout)
      var options = options
      options.allowedLosses = consent.losses(for: target)
      var request = request(for: store.path, to: target, try shared.routes(to: target), options)
      request.references = try names.references(for: target.destination)
      request.looksForLeftovers = store.mayHaveLeftovers
      do {
        return try StoreMigrator(request).migrate(isInterrupted: { interrupt.isRaised })
      } catch {
        throw consent.explaining(error, request, for: target)
      }
    }
  }
}
