import ArgumentParser
import Foundation
import ModelKit

/// The query of `query`.
struct QueryOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The entity. The result includes objects of its sub-entities. Without an entity, list all entities.",
      valueName: "entity"))
  var entity: String?

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Show only the objects that match this NSPredicate.", valueName: "predicate"))
  var predicates: [String] = []

  @OptionGroup(title: "Template options") var template: TemplateOptions

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Sort by this key path. For descending order, write --sort=-key. You can repeat this option.", valueName: "key"))
  var sort: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Show these properties or key paths, separated by commas (default: all properties). You can repeat this option.",
      valueName: "names"))
  var columns: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Include the related objects of this key path, such as customer or rows.service. You can repeat this option.",
      valueName: "key path"))
  var include: [String] = []

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Show at most this number of objects.", valueName: "number"))
  var limit: Int?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Skip this number of objects at the start.", valueName: "number"))
  var offset = 0

  @Flag(name: .long, help: "Print only the number of objects that match --where.")
  var count = false

  @OptionGroup(title: "Grouping options") var grouping: GroupingOptions

  @Flag(name: .long, help: "Print the SQL and SQLite's query plan instead of the objects.")
  var explain = false

  /// True if an option applies only to single objects.
  var shapesObjects: Bool { !include.isEmpty || !columns.isEmpty || !sort.isEmpty }

  /// True if the query lists the entities of the store.
  var listsEntities: Bool { entity == nil && template.name == nil }

  func validate() throws {
    try OnePredicate.check(predicates)
    let needsEntity =
      !predicates.isEmpty || shapesObjects || limit != nil || offset > 0 || count || grouping.isAsked || explain
    guard !listsEntities || !needsEntity else {
      throw ValidationError("name an entity for these options, or a fetch request template with --template")
    }
    guard (limit ?? 0) >= 0, offset >= 0 else { throw ValidationError("--limit and --offset must be 0 or more") }
    if let entity, template.name != nil {
      throw ValidationError("a template has its own entity; remove \(entity) or --template")
    }
    guard template.name == nil || predicates.isEmpty else {
      throw ValidationError("a template has its own predicate; remove --where")
    }
    guard columns.allSatisfy({ !Self.names(in: $0).isEmpty }) else {
      throw ValidationError("--columns needs names of properties, separated by commas")
    }
    if grouping.isAsked, shapesObjects || count {
      throw ValidationError(
        "--group and --sum print groups, not objects; remove --sort, --columns, --include and --count")
    }
  }

  /// The query for a store with this model.
  ///
  /// - Throws: the errors of `RecordRequest.init(_:where:_:)`, and an error if the model does not have the template.
  func query(of hierarchy: EntityHierarchy) throws -> RecordQuery {
    var request = try template.request(of: hierarchy) ?? RecordRequest(entity ?? "", where: predicates.first)
    request.sort = sort.map { key in
      key.hasPrefix("-") ? RecordSort(String(key.dropFirst()), isAscending: false) : RecordSort(key)
    }
    let paths = try shown.filter { try Self.isKeyPath($0, of: request.entity, in: hierarchy) }
    // If a key path begins with the link, the query reads the link itself.
    request.properties =
      columns.isEmpty
      ? nil : shown.map { paths.contains($0) ? String($0.prefix { $0 != "." }) : $0 }
    request.limit = limit ?? request.limit
    request.offset = offset
    let subject: RecordQuery.Subject =
      count
      ? .count
      : grouping.isAsked
        ? .groups(grouping.aggregates, by: grouping.group)
        : .objects(including: InclusionTree(include + paths.map { Self.links(of: $0) }))
    return RecordQuery(request, subject, isExplained: explain)
  }

  /// The properties and key paths to show, in their order, or an empty list for all properties.
  var shown: [String] { columns.flatMap { Self.names(in: $0) } }

  /// True for a key path through to-one links, such as `customer.fullName`.
  ///
  /// - Throws: `RecordRequestError` if the key path has several objects, or does not end in an attribute or link.
  private static func isKeyPath(_ text: String, of entity: String, in hierarchy: EntityHierarchy) throws -> Bool {
    let parts = text.split(separator: ".").map(String.init)
    guard parts.count > 1, hierarchy.allRelationships(of: entity)[parts[0]] != nil else { return false }
    var entity = entity
    for part in parts.dropLast() {
      let relationships = hierarchy.allRelationships(of: entity).mapValues(\.property)
      guard let relationship = relationships[part], let destination = relationship.destinationEntityName else {
        throw RecordRequestError.unknownRelationship(
          part, entity: entity, near: NearNames.nearest(to: part, among: relationships.keys.sorted()))
      }
      if relationship.isToMany { throw RecordRequestError.several(part, entity: entity) }
      entity = destination
    }
    let last = parts[parts.count - 1]
    let family = hierarchy.family(of: entity).map(\.name)
    let known = family.flatMap {
      hierarchy.allAttributes(of: $0).filter { !$0.value.property.isTransient }.map(\.key)
        + hierarchy.allRelationships(of: $0).filter { !$0.value.property.isToMany }.map(\.key)
    }
    guard known.contains(last) else {
      throw RecordRequestError.unknownProperty(
        last, entity: entity, near: NearNames.nearest(to: last, among: Set(known).sorted()))
    }
    return true
  }

  private static func links(of path: String) -> String { path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path }

  private static func names(in list: String) -> [String] {
    list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}

/// The options for groups of objects and their aggregates.
struct GroupingOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Group by this key path: print each distinct value with its number of objects. You can repeat this option.",
      valueName: "key path"))
  var group: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Add up the numbers of this key path, for each group or for all objects. You can repeat this option.",
      valueName: "key path"))
  var sum: [String] = []

  var isAsked: Bool { !group.isEmpty || !sum.isEmpty }

  /// The aggregates of each group.
  var aggregates: [RecordAggregate] { [.count] + sum.map { .sum($0) } }
}

/// The options for a fetch request template, which replaces the entity.
struct TemplateOptions: ParsableArguments {
  @Option(
    name: .customLong("template"),
    help: ArgumentHelp(
      "Run this fetch request template of the model. It replaces the entity and --where.", valueName: "name"))
  var name: String?

  @Option(
    name: .customLong("variable"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set a variable of the template. You can repeat this option.", valueName: "name=value"))
  var argument: [String] = []

  func validate() throws {
    guard name != nil || argument.isEmpty else { throw ValidationError("--variable needs --template") }
    for text in argument where RecordAssignment(text) == nil {
      throw ValidationError("--variable \(text): expected name=value")
    }
  }

  /// The request of the template, or nil if there is no `--template`.
  func request(of hierarchy: EntityHierarchy) throws -> RecordRequest? {
    guard let name else { return nil }
    let pairs = argument.compactMap(RecordAssignment.init).map { ($0.property, $0.text ?? "") }
    return try RecordRequest(template: name, of: hierarchy, texts: Dictionary(pairs) { _, last in last })
  }
}

/// A check that `--where` is given only once.
///
/// With several predicates, it would not be clear whether an object must match all of them.
enum OnePredicate {
  /// Refuses several predicates, and suggests one predicate that combines them.
  static func check(_ predicates: [String]) throws {
    guard predicates.count > 1 else { return }
    let joined = predicates.map { "(\($0))" }.joined(separator: " AND ")
    throw ValidationError("give a single --where\n  Combine the conditions: --where \(ShellWord(joined).text)")
  }
}
