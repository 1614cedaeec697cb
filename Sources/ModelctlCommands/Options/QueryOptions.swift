import ArgumentParser
import Foundation
import ModelKit

/// What `query` asks of a store.
struct QueryOptions: ParsableArguments {
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

  /// True where something is asked that only objects have.
  var shapesObjects: Bool { !include.isEmpty || !columns.isEmpty || !sort.isEmpty }

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
    if grouping.isAsked, shapesObjects || count {
      throw ValidationError("groups have no objects to show: leave --sort, --columns, --include and --count out")
    }
  }

  /// The query, of a store with this model.
  ///
  /// - Throws: as `RecordRequest.init(_:where:_:)`, and where the model has no such template.
  func query(of hierarchy: EntityHierarchy) throws -> RecordQuery {
    var request = try template.request(of: hierarchy) ?? RecordRequest(entity ?? "", where: predicates.first)
    request.sort = sort.map { key in
      key.hasPrefix("-") ? RecordSort(String(key.dropFirst()), isAscending: false) : RecordSort(key)
    }
    request.properties = columns.isEmpty ? nil : columns.flatMap { Self.names(in: $0) }
    request.limit = limit ?? request.limit
    request.offset = offset
    let subject: RecordQuery.Subject =
      count
      ? .count
      : grouping.isAsked
        ? .groups(grouping.aggregates, by: grouping.group) : .objects(including: InclusionTree(include))
    return RecordQuery(request, subject, isExplained: explain)
  }

  /// The names in a list with commas.
  private static func names(in list: String) -> [String] {
    list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}
