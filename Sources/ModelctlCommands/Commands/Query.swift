import ArgumentParser
import Foundation
import ModelKit

/// Shows objects of a store.
struct Query: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Show objects of a store: choose, sort, count and group them.",
    usage: """
      modelctl query <store> <entity> [--where <predicate>] [<options>]
      modelctl query <store> --template <name> [<options>]
      """,
    discussion: """
      EXAMPLES
        modelctl query store.sqlite Order
        modelctl query store.sqlite Order --where 'isPaid == NO' --sort=-date
        modelctl query store.sqlite Order --where 'ANY rows.sum > 50' --count
        modelctl query store.sqlite Order --include customer --format json
        modelctl query store.sqlite Customer --columns fullName,phone --format csv
        modelctl query store.sqlite Order --group customer.fullName --sum total
        modelctl query store.sqlite Order --where 'number > 7' --explain

      The predicate is one of NSPredicate, with SUBQUERY, ANY, ALL and [cd].
      As in a fetch from Core Data, what has no value is neither equal nor
      unequal to anything but nil: x != 3 leaves out objects without x; write
      x != 3 OR x == nil. The store is only read.
      """)

  @Argument(help: ArgumentHelp("The store.", valueName: "store"))
  var store: StorePath

  @Argument(help: ArgumentHelp("The entity; objects of the entities below it count too.", valueName: "entity"))
  var entity: String?

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("What must hold of an object.", valueName: "predicate"))
  var predicates: [String] = []

  @OptionGroup var template: TemplateOptions

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A key path to sort by, -key for the greatest first. Can be given more than once.", valueName: "key"))
  var sort: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "The properties to show, with commas between them. Can be given more than once.", valueName: "names"))
  var columns: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A relationship whose objects are brought along, such as customer or rows.service. Can be given more than once.",
      valueName: "key path"))
  var include: [String] = []

  @Option(name: .long, help: ArgumentHelp("How many objects to show at most.", valueName: "number"))
  var limit: Int?

  @Option(name: .long, help: ArgumentHelp("How many objects to leave out at the beginning.", valueName: "number"))
  var offset = 0

  @Flag(name: .long, help: "Only the number of objects.")
  var count = false

  @OptionGroup var grouping: GroupingOptions

  @Flag(name: .long, help: "The SQL and SQLite's plan of it, in place of the objects.")
  var explain = false

  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: FormatOptions<RecordForm>
  @OptionGroup var color: ColorOption

  var reserved: ReservedFiles { ReservedFiles(stores: [store.text]) }

  func validate() throws {
    try OnePredicate.check(predicates)
    guard (limit ?? 0) >= 0, offset >= 0 else { throw ValidationError("--limit and --offset take 0 or more") }
    guard (entity == nil) != (template.name == nil) else {
      throw ValidationError("name an entity, or a fetch request template with --template")
    }
    guard template.name == nil || predicates.isEmpty else {
      throw ValidationError("a template has a predicate of its own; leave --where out")
    }
    guard columns.allSatisfy({ !Self.names(in: $0).isEmpty }) else {
      throw ValidationError("--columns takes the names of properties, with commas between them")
    }
    let isListed = !include.isEmpty || !columns.isEmpty || !sort.isEmpty
    if grouping.isAsked, isListed || count {
      throw ValidationError("groups have no objects to show: leave --sort, --columns, --include and --count out")
    }
    if explain, output.format.contains(where: { $0.form != .table && $0.form != .json }) {
      throw ValidationError("--explain prints a text or json")
    }
    let shapesList = limit != nil || offset > 0 || !include.isEmpty || !columns.isEmpty || !sort.isEmpty
    if count, shapesList || !output.format.isEmpty && !explain {
      throw ValidationError("--count gives one number; leave everything but --where out")
    }
  }

  func run() throws {
    let interrupt = Interrupt()
    let workspace = try models.workspace(configuration).load()
    let reader = try workspace.reader(
      of: store.text, busyTimeout: waiting.busyTimeout, interruption: { interrupt.isRaised })
    defer { reader.close() }
    let hierarchy = try EntityHierarchy(workspace.model(by: reader).model)
    let request = try request(hierarchy)
    let uuid = try reader.metadata().uuid
    let found = try reader.read { database in
      try answer(request, RecordReading(of: hierarchy, path: reader.file, in: database), store: uuid)
    }
    if case .count(let number) = found { return try Console.standardOutput("\(number)\n") }
    try output.write { try found.text(in: $0) }
  }

  private func answer(_ request: RecordRequest, _ reading: RecordReading, store: String) throws -> QueryAnswer {
    let (aggregates, keyPaths) = (grouping.aggregates, grouping.group)
    if explain {
      let explanation =
        try count
        ? reading.explainCount(request)
        : grouping.isAsked ? reading.explain(aggregates, by: keyPaths, of: request) : reading.explain(request)
      return .explanation(ExplanationReport(explanation))
    }
    if count { return .count(try reading.count(request)) }
    if grouping.isAsked {
      let groups = try reading.groups(aggregates, by: keyPaths, of: request)
      return .groups(RecordGroupsReport(groups, of: request.entity, by: keyPaths, aggregates, store: store))
    }
    let inclusion = InclusionTree(include)
    let graph = try reading.fetch(request, including: inclusion)
    let isWhole = request.limit == nil && request.offset == 0
    let total = isWhole ? graph.objects.count : try reading.count(request)
    return .objects(
      RecordsReport(
        graph, including: inclusion, of: request.entity, columns: request.properties, count: total, store: store))
  }

  private func request(_ hierarchy: EntityHierarchy) throws -> RecordRequest {
    var request = try template.request(of: hierarchy) ?? RecordRequest(entity ?? "", where: predicates.first)
    request.sort = sort.map { key in
      key.hasPrefix("-") ? RecordSort(String(key.dropFirst()), isAscending: false) : RecordSort(key)
    }
    request.properties = columns.isEmpty ? nil : columns.flatMap { Self.names(in: $0) }
    request.limit = limit ?? request.limit
    request.offset = offset
    return request
  }

  /// The names in a list with commas.
  private static func names(in list: String) -> [String] {
    list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}

/// What a query gives.
private enum QueryAnswer {
  case objects(RecordsReport)
  case groups(RecordGroupsReport)
  case explanation(ExplanationReport)
  case count(Int)

  func text(in form: RecordForm) throws -> String {
    switch (self, form) {
    case (.objects(let report), .table): report.text
    case (.objects(let report), .json): try JSONText.encode(report)
    case (.objects(let report), .jsonl): try report.lines()
    case (.objects(let report), .csv): report.csv
    case (.groups(let report), .table): report.text
    case (.groups(let report), .json): try JSONText.encode(report)
    case (.groups(let report), .jsonl): try report.lines()
    case (.groups(let report), .csv): report.csv
    case (.explanation(let report), .json): try JSONText.encode(report)
    case (.explanation(let report), _): report.text
    case (.count(let number), _): "\(number)\n"
    }
  }
}

/// The forms of objects.
enum RecordForm: String, OutputForm {
  case table
  case json
  case jsonl
  case csv

  static var text: RecordForm { .table }
}
