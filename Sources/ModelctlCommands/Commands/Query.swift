import ArgumentParser
import ModelKit

/// Shows objects of a store.
struct Query: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Show objects of a store: filter, sort, count, group.",
    usage: """
      modelctl query <store> [--format <format>]
      modelctl query <store> <entity> [--where <predicate>] [<options>]
      modelctl query <store> --template <name> [<options>]
      """,
    discussion: """
      EXAMPLES
        modelctl query store.sqlite               the entities of the store
        modelctl query store.sqlite Order
        modelctl query store.sqlite Order --where 'isPaid == NO' --sort=-date
        modelctl query store.sqlite Order --where 'ANY rows.sum > 50' --count
        modelctl query store.sqlite Order --include customer --format json
        modelctl query store.sqlite Customer --columns fullName,phone --format csv
        modelctl query store.sqlite Order --group customer.fullName --sum total
        modelctl query store.sqlite Order --where 'number > 7' --explain

      --where takes a predicate in the format of NSPredicate, with SUBQUERY, ANY,
      ALL and [cd]. As in a Core Data fetch, only == nil and != nil match objects
      without a value: x != 3 leaves them out. To include them, write
      x != 3 OR x == nil. modelctl does not change the store.
      """)

  @Argument(help: ArgumentHelp("The store.", valueName: "store"))
  var store: StorePath

  @OptionGroup var query: QueryOptions
  @OptionGroup var reading: ReadingOptions
  @OptionGroup(title: "Output options") var output: FormatOptions<RecordFormat>
  @OptionGroup(title: "Output options") var style: StyleOptions

  var reserved: ReservedFiles { ReservedFiles(stores: [store.text]) }

  func validate() throws {
    if query.explain, output.format.contains(where: { $0.form != .table && $0.form != .json }) {
      throw ValidationError("--explain prints only text or json")
    }
    let shapesList = query.limit != nil || query.offset > 0 || query.shapesObjects
    if query.count, shapesList || !output.format.isEmpty && !query.explain {
      throw ValidationError("--count prints one number; keep only --where")
    }
  }

  func run() throws {
    let interrupt = Interrupt()
    let (reader, workspace) = try reading.open(store, interrupt)
    defer { reader.close() }
    let hierarchy = try EntityHierarchy(workspace.model(by: reader).model)
    guard !query.listsEntities else {
      let counts = try reader.read { database in
        try RecordReading(of: hierarchy, readBy: reader, in: database).entityCounts()
      }
      return try output.write(EntityCountsReport(counts))
    }
    let columns = query.shown
    let query = try query.query(of: hierarchy)
    let uuid = try reader.metadata().uuid
    let answer = try reader.read { database in
      try RecordReading(of: hierarchy, readBy: reader, in: database).answer(query)
    }
    try output.write(answer, to: query.request, columns: columns, store: uuid)
  }
}

enum RecordFormat: String, FormatOption {
  case table
  case json
  case jsonl
  case csv

  static var text: RecordFormat { .table }
}

extension FormatOptions<RecordFormat> {
  /// Prints the result of a query.
  ///
  /// - Parameters:
  ///   - request: the requested objects.
  ///   - columns: the properties and key paths to show, or an empty list for all properties.
  /// - Throws: ``CommandError/unwritable(path:reason:advice:)``, and `EncodingError` for a number that JSON cannot represent.
  func write(_ answer: RecordAnswer, to request: RecordRequest, columns: [String], store: String) throws {
    switch answer {
    case .count(let number): try Console.standardOutput("\(number)\n")
    case .explanation(let explanation):
      let report = ExplanationReport(explanation)
      try write { try $0 == .json ? JSONText.encode(report) : report.text }
    case .objects(let graph, let inclusion, let total):
      let report = RecordsReport(
        graph, including: inclusion, of: request.entity, columns: columns.isEmpty ? nil : columns, count: total,
        store: store)
      try write(report, text: report.text, lines: report.lines, csv: report.csv)
    case .groups(let groups, let aggregates, let keyPaths):
      let report = RecordGroupsReport(groups, of: request.entity, by: keyPaths, aggregates, store: store)
      try write(report, text: report.text, lines: report.lines, csv: report.csv)
    }
  }

  /// Prints the entities of a store.
  func write(_ report: EntityCountsReport) throws {
    try write(report, text: report.text, lines: report.lines, csv: report.csv)
  }

  private func write(
    _ report: some Encodable, text: @autoclosure () -> String, lines: () throws -> String,
    csv: @autoclosure () -> String
  ) throws {
    try write { form in
      switch form {
      case .table: text()
      case .json: try JSONText.encode(report)
      case .jsonl: try lines()
      case .csv: csv()
      }
    }
  }
}
