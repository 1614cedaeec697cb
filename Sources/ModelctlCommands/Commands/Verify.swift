import ArgumentParser
import ModelKit

/// Checks stores against their model.
struct Verify: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check whether a store is what its model says.",
    usage: "modelctl verify <store or folder> ... [--model <path>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl verify store.sqlite
        modelctl verify *.sqlite --model App/Model.xcdatamodeld --format json

      The file, its tables, rows, links and metadata are checked. Exits with
      1 if a store has errors. Warnings do not keep Core Data from opening the
      store, but a save of such an object may be refused, by modelctl as well:
      a required value, a count or a limit of the model.
      """)

  @Argument(help: ArgumentHelp("The stores, and folders to look for stores in.", valueName: "store"))
  var stores: [StorePath]

  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var joinNames: JoinNameOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  var reserved: ReservedFiles { ReservedFiles(stores: stores.map(\.text)) }

  func run() throws {
    let workspace = try models.workspace(configuration).load()
    let names = try joinNames.names(among: workspace.versions)
    let interrupt = Interrupt()
    let loop = try StoreLoop.run(inPlaces: stores, interrupt: interrupt) { path in
      let reader = try workspace.reader(
        of: path, busyTimeout: waiting.busyTimeout, interruption: { interrupt.isRaised })
      defer { reader.close() }
      let (model, identification) = try workspace.model(by: reader)
      let name = identification.version?.name ?? path
      let version = try LoadedVersion(bundle: "", name: name, isCurrent: false, model: model)
      return VerificationReport.Store(
        path: path, modelVersion: identification.version?.name,
        problems: try reader.verify(
          against: version.hierarchy, references: names.references(for: version),
          matching: RegularExpressions().matchesWhole))
    }
    let report = VerificationReport(loop.entries)
    if !report.stores.isEmpty { try output.write(text: report.text, document: report, coloring: .verification) }
    try loop.check()
    if report.stores.contains(where: { !$0.isSound }) { throw CommandExit.findings }
  }
}
