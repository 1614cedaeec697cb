import ArgumentParser
import ModelKit

struct Migrate: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrate stores to the current or a given version.",
    usage: "modelctl migrate <store or folder> ... [--to <version>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl migrate store.sqlite
        modelctl migrate *.sqlite --to v3 --format json
        modelctl migrate store.sqlite --allow-data-loss Order.note
        modelctl migrate store.sqlite --dry-run    test it on a copy
        modelctl migrate Stores --jobs 8           all stores in a folder
        modelctl migrate store.sqlite --report migration.html

      modelctl refuses to lose data. To allow a loss, name it. modelctl verifies
      each result before it keeps it. A failed migration, or Ctrl-C, leaves the
      store unchanged. If one of several stores fails, modelctl still migrates the
      rest. For a folder, it records finished stores in a journal, so that the same
      command continues a stopped run (see docs/guides/many-stores.md). To see the
      SQL and all blockers first, use modelctl plan.
      """)

  @Argument(help: ArgumentHelp("Stores, or folders that contain stores.", valueName: "store"))
  var stores: [StorePath]

  @OptionGroup var migration: MigrationArguments
  @OptionGroup(title: "Options for blockers and data loss") var consent: ConsentOptions
  @OptionGroup(title: "Store options") var waiting: WaitingOptions

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help:
      "Keep a backup of the original, or keep no backup (default: a backup if a copy replaces the store, or if data is lost)."
  )
  var backup: Bool?

  @Flag(
    name: [.customLong("dry-run"), .customShort("n")], help: "Migrate a copy, print the result, and delete the copy.")
  var dryRun = false

  @OptionGroup(title: "Options for many stores") var fleet: FleetOptions
  @OptionGroup(title: "Store options") var joinNames: JoinNameOptions
  @OptionGroup(title: "Mapping options") var mappings: MappingOptions
  @OptionGroup(title: "Mapping options") var policies: PolicyOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Store options") var configuration: ConfigurationOption
  @OptionGroup(title: "Output options") var report: ReportOption
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var reserved: ReservedFiles { ReservedFiles(stores: stores.map(\.text)) }

  func validate() throws {
    if dryRun, fleet.journal != nil {
      throw ValidationError("--dry-run keeps nothing; remove --journal")
    }
  }

  func run() throws {
    try output.check()
    let (paths, isFleet) = (stores.map(\.text), fleet.isWanted(for: stores.map(\.text)))
    func journal() throws -> String? { isFleet && !dryRun ? try fleet.journalPath(for: paths) : nil }
    try MigrationRecorder.run(
      decisions: consent.decisions + migration.decisions, for: report,
      besides: ReservedFiles(stores: paths, journal: journal(), outputs: output.files)
    ) { recorder in
      let workspace = try models.workspace(configuration, mappings: mappings).load()
      let settings = MigrationSettings(
        workspace: workspace, consent: try .read(consent, bundles: workspace.bundles), arguments: migration,
        policies: policies, busyTimeout: waiting.busyTimeout, keepsBackup: backup, isRehearsal: dryRun,
        names: try joinNames.names(among: workspace.versions))
      guard isFleet else {
        return try StoreRun(settings: settings, output: output, recorder: recorder).run(stores)
      }
      let interrupt = Interrupt()
      try settings.check(for: paths)
      let run = FleetRun(
        fleet: try fleet.migration(of: paths, goal: workspace.goal(to: migration.path.to)), journalPath: try journal(),
        output: try FleetOutput(output), interrupt: interrupt, recorder: recorder)
      try run.run(settings)
    }
  }
}
