import ArgumentParser
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

  @OptionGroup var query: QueryOptions
  @OptionGroup var reading: ReadingOptions
  @OptionGroup var output: FormatOptions<RecordForm>
  @OptionGroup var color: ColorOption

  var reserved: ReservedFiles { ReservedFiles(stores: [store.text]) }

  func validate() throws {
    if query.explain, output.format.contains(where: { $0.form != .table && $0.form != .json }) {
      throw ValidationError("--explain prints a text or json")
    }
    let shapesList = query.limit != nil || query.offset > 0 || query.shapesObjects
    if query.count, shapesList || !output.format.isEmpty && !query.explain {
      throw ValidationError("--count gives one number; leave everything but --where out")
    }
  }

  func run() throws {
    let interrupt = Interrupt()
    let (reader, workspace) = try reading.open(store, interrupt)
    defer { reader.close() }
    let hierarchy = try EntityHierarchy(workspace.model(by: reader).model)
    let query = try query.query(of: hierarchy)
    let uuid = try reader.metadata().uuid
    let answer = try reader.read { database in
      try RecordReading(of: hierarchy, path: reader.file, in: database).answer(query)
    }
    try output.write(answer, to: query.request, store: uuid)
  }
}
