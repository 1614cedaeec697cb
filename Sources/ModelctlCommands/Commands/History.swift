import ArgumentParser
import ModelKit

/// Shows who changed what when.
struct History: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show who changed what when, from a store's persistent history.",
    usage: "modelctl history <store> [--since <date>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl history store.sqlite
        modelctl history store.sqlite --since 2026-01-31 --entity Order
        modelctl history store.sqlite --author import --format json

      Core Data keeps a history where an app asks for it, in SQLite stores
      alone. A store without one is no error. The store is only read.
      """)

  @Argument(help: ArgumentHelp("The store.", valueName: "store"))
  var store: StorePath

  @Option(name: .long, help: ArgumentHelp("Only saves at this date or later, such as 2026-01-31.", valueName: "date"))
  var since: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Only saves after the one of this number.", valueName: "number"))
  var after: Int64?

  @Option(
    name: .long,
    help: ArgumentHelp("Only objects of this entity, and of the entities below it.", valueName: "entity"))
  var entity: String?

  @Option(name: .long, help: ArgumentHelp("Only saves of this author.", valueName: "name"))
  var author: String?

  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  var reserved: ReservedFiles { ReservedFiles(stores: [store.text]) }

  func run() throws {
    var request = HistoryRequest()
    (request.after, request.author, request.entity) = (after, author, entity)
    if let since, case .date(let moment) = try AttributeValue.parse(since, as: .date) { request.since = moment }
    let interrupt = Interrupt()
    let workspace = try models.workspace(configuration).load()
    if let kind = StoreKinds.kind(ofFile: store.text) {
      let report = StoreHistoryReport(kind: kind.name)
      return try output.write(text: report.text, document: report)
    }
    let reader = try StoreReader(
      path: store.text, busyTimeout: waiting.busyTimeout, interruption: { interrupt.isRaised })
    defer { reader.close() }
    let model = try workspace.model(by: reader).model
    let uuid = try reader.metadata().uuid
    let (transactions, isKept) = try reader.read { database in
      let reading = try RecordReading(of: EntityHierarchy(model), path: store.text, in: database)
      return (try reading.history(request), try reading.hasHistory())
    }
    let report = StoreHistoryReport(transactions, isKept: isKept, store: uuid)
    try output.write(text: report.text, document: report)
  }
}
