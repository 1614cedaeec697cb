import ArgumentParser
import ModelKit

/// Checks stores against their model.
struct Verify: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a store against its model, and repair it.",
    usage: "modelctl verify <store or folder> ... [--model <path>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl verify store.sqlite
        modelctl verify *.sqlite --model App/Model.xcdatamodeld --format json
        modelctl verify --repair store.sqlite      repair it, with a backup

      Checks the file, its tables, rows, links and metadata. Exits with 1 if a store
      has errors. Warnings do not keep Core Data from opening the store. But Core
      Data and modelctl may refuse to save an object with a warning, such as a
      missing required value, or a value outside a limit of the model.
      --repair rebuilds wrong or missing indexes, missing triggers, and missing
      tables that never had a row. It corrects entity numbers and highest keys, and
      removes links to missing objects. It lists its repairs and the remaining
      errors, and exits with 0 if the store is then sound. It repairs only SQLite
      stores.
      """)

  @Argument(help: ArgumentHelp("Stores, or folders that contain stores.", valueName: "store"))
  var stores: [StorePath]

  @Flag(help: "Repair errors that have only one correct repair, in one transaction. Keep a backup.")
  var repair = false

  @Option(
    help: ArgumentHelp(
      "With --repair, write the backup to this file (default: a free name beside the store).", valueName: "file"))
  var backup: String?

  @Flag(
    name: [.customLong("dry-run"), .customShort("n")], help: "With --repair, print the repairs and change nothing.")
  var dryRun = false

  @OptionGroup(title: "Store options") var waiting: WaitingOptions
  @OptionGroup(title: "Store options") var joinNames: JoinNameOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Store options") var configuration: ConfigurationOption
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var reserved: ReservedFiles { ReservedFiles(stores: stores.map(\.text)) }

  func validate() throws {
    if !repair, dryRun || backup != nil {
      throw ValidationError("--\(dryRun ? "dry-run" : "backup") needs --repair")
    }
    guard let backup else { return }
    if stores.count > 1 { throw ValidationError("--backup names a single file: give a single store") }
    if ["-wal", "-shm", "-journal"].contains(where: backup.hasSuffix) {
      throw ValidationError("--backup \(backup): SQLite gives this name to files of other stores; choose another name")
    }
  }

  func run() throws {
    let workspace = try models.workspace(configuration).load()
    let names = try joinNames.names(among: workspace.versions)
    let interrupt = Interrupt()
    let loop = try StoreLoop.run(storesIn: stores, interrupt: interrupt) { path in
      let reader = try workspace.reader(
        of: path, busyTimeout: waiting.busyTimeout, interruption: { interrupt.isRaised })
      defer { reader.close() }
      let (model, identification) = try workspace.model(by: reader)
      if try reader.isMirrored() { Console.note("\(path): \(StoreReader.mirroringNote)") }
      let name = identification.version?.name ?? path
      let version = try LoadedVersion(bundle: "", name: name, isCurrent: false, model: model)
      let expressions = RegularExpressions()
      let matching: @Sendable (String, String) -> Bool = expressions.matchesWhole
      let references = try names.references(for: version)
      var problems = try interrupt.showingTime(of: "\(path): verifying") {
        try reader.verify(against: version.hierarchy, references: references, matching: matching)
      }
      try expressions.checkSum()
      var report: VerificationReport.Repair?
      // The SQLite copy of a store of another type is not the store itself.
      if repair, reader.file != reader.path {
        Console.warn("\(path): modelctl repairs only SQLite stores, and verified this store")
      }
      if repair, reader.file == reader.path {
        reader.close()
        var repair = StoreRepair(of: path, model: version.hierarchy, references: references)
        (repair.backup, repair.isRehearsal) = (backup, dryRun)
        (repair.busyTimeout, repair.matching) = (waiting.busyTimeout, matching)
        let outcome = try repair.run(problems) { interrupt.isRaised }
        problems = outcome.left
        report = .init(outcome, isRehearsal: dryRun)
      }
      return VerificationReport.Store(
        path: path, modelVersion: identification.version?.name, problems: problems, repair: report,
        options: GivenOptions.current.modelChoice)
    }
    let report = VerificationReport(loop.entries)
    if !report.stores.isEmpty { try output.write(text: report.text, document: report, coloring: .verification) }
    try loop.check()
    if report.stores.contains(where: { !$0.isSound }) { throw CommandExit.findings }
  }
}
