import ArgumentParser
import Foundation
import ModelKit

/// Shows objects of a store.
struct Query: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Show objects of a store: choose, sort and count them.",
    usage: "modelctl query <store> <entity> [--where <predicate>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl query store.sqlite Order
        modelctl query store.sqlite Order --where 'isPaid == NO' --sort=-date
        modelctl query store.sqlite Order --where 'ANY rows.sum > 50' --count
        modelctl query store.sqlite Order --include customer --format json
        modelctl query store.sqlite Customer --columns fullName,phone --format csv

      The predicate is one of NSPredicate, with SUBQUERY, ANY, ALL and [cd].
      As in a fetch from Core Data, what has no value is neither equal nor
      unequal to anything but nil: x != 3 leaves out objects without x; write
      x != 3 OR x == nil. The store is only read.
      """)

  @Argument(help: ArgumentHelp("The store.", valueName: "store"))
  var store: StorePath

  @Argument(help: ArgumentHelp("The entity; objects of the entities below it count too.", valueName: "entity"))
  var entity: String

  @Option(name: .customLong("where"), help: ArgumentHelp("What must hold of an object.", valueName: "predicate"))
  var predicate: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A key path to sort by, -key for the greatest first. Can be given more than once.", valueName: "key"))
  var sort: [String] = []

  @Option(name: .long, help: ArgumentHelp("The properties to show, with commas between them.", valueName: "names"))
  var columns: String?

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

  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: FormatOptions<RecordForm>
  @OptionGroup var color: ColorOption

  func validate() throws {
    guard (limit ?? 0) >= 0, offset >= 0 else { throw ValidationError("--limit and --offset take 0 or more") }
    let shapesList = limit != nil || offset > 0 || !include.isEmpty || columns != nil || !sort.isEmpty
    if count, shapesList || !output.format.isEmpty {
      throw ValidationError("--count gives one number; leave everything but --where out")
    }
  }

  func run() throws {
    let interrupt = Interrupt()
    let reader = try StoreReader(
      path: store.text, busyTimeout: waiting.busyTimeout, interruption: { interrupt.isRaised })
    defer { reader.close() }
    let workspace = try models.workspace(configuration).load()
    guard let model = try workspace.identify(by: reader).model else {
      throw WorkspaceError.noModelInStore(path: store.text)
    }
    let hierarchy = try EntityHierarchy(model)
    let request = try request()
    let inclusion = InclusionTree(include)
    let uuid = try reader.metadata().uuid
    let (found, total) = try reader.read { database in
      let reading = try RecordReading(of: hierarchy, path: store.text, in: database)
      guard !count else { return (nil as RecordGraph?, try reading.count(request)) }
      let graph = try reading.fetch(request, including: inclusion)
      let isWhole = request.limit == nil && request.offset == 0
      return (graph, isWhole ? graph.objects.count : try reading.count(request))
    }
    guard let found else { return try Console.standardOutput("\(total)\n") }
    let report = RecordsReport(
      found, including: inclusion, of: entity, columns: request.properties, count: total, store: uuid)
    try output.write { form in
      switch form {
      case .table: report.text
      case .json: try JSONText.encode(report)
      case .jsonl: try report.lines()
      case .csv: report.csv
      }
    }
  }

  private func request() throws -> RecordRequest {
    var request = try RecordRequest(entity, where: predicate)
    request.sort = sort.map { key in
      key.hasPrefix("-") ? RecordSort(String(key.dropFirst()), isAscending: false) : RecordSort(key)
    }
    request.properties = columns?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    (request.limit, request.offset) = (limit, offset)
    return request
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
