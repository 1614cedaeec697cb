import ArgumentParser
import ModelKit

/// Shows the persistent history of a store.
struct History: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show the changes in a store's persistent history.",
    usage: "modelctl history <store> [--since <date>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl history store.sqlite
        modelctl history store.sqlite --since 2026-01-31 --entity Order
        modelctl history store.sqlite --author import --format json

      Shows each save with its author, its date, and the objects that it inserted,
      changed and deleted. Core Data keeps a history only in SQLite stores, and only
      if your app turns it on. If the store has no history, the command prints this
      and exits with 0. modelctl does not change the store.
      """)

  @Argument(help: ArgumentHelp("The store.", valueName: "store"))
  var store: StorePath

  @Option(
    name: .long, help: ArgumentHelp("Show only saves at this date or later, such as 2026-01-31.", valueName: "date"))
  var since: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Show only saves after the save of this number.", valueName: "number"))
  var after: Int64?

  @Option(
    name: .long,
    help: ArgumentHelp("Show only objects of this entity and its sub-entities.", valueName: "entity"))
  var entity: String?

  @Option(name: .long, help: ArgumentHelp("Show only saves of this author.", valueName: "name"))
  var author: String?

  @OptionGroup(title: "Store options") var waiting: WaitingOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Store options") var configuration: ConfigurationOption
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

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
