import ArgumentParser
import ModelKit

struct Migrate: ResultCommand {
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
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var waiting: WaitingOptions

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

  var reserved: ReservedFiles { ReservedFiles(stores: stores.map(\.text)) }

  func validate() throws {
    if dryRun, fleet.journal != nil {
      throw ValidationError("--dry-run keeps nothing, so that there is nothing to remember: leave --journal out")
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
        fleet: try fleet.migration(of: paths, goal: workspace.goal(to: migration.to)), journalPath: try journal(),
        output: try FleetOutput(output), interrupt: interrupt, recorder: recorder)
      try run.run(settings)
    }
  }
}
