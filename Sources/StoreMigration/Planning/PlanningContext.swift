import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Everything a plan is computed from, whatever kind of mapping it follows.
struct PlanningContext {
  /// The source's tables under the names they have before anything runs.
  let source: StoreModel
  /// The source's tables under the names they have while rows are made.
  let staged: StoreModel
  let destination: StoreModel
  let mapping: MappingModel
  let snapshot: StoreSnapshot
  let options: MigrationOptions
  /// The entity mappings that make rows, in order; none if rows stay what they are.
  let entities: [MappedEntity]
  /// The value of `now()`, in seconds since 2001-01-01T00:00:00Z.
  let now: Double

  /// The entity mappings that make rows, by what they are asked for by.
  let index: MappedEntityIndex
  /// The mapping of every destination entity that has a source, by destination name.
  private let mappings: [String: EntityMapping]
  /// The destination entity that the rows of each source entity become.
  private let destinationNames: [String: String]
  /// The numbers of rows of the store's tables.
  private let rowCounts: [String: Int]
  /// The destination number for every source number whose rows survive.
  let renumbering: [Int: Int]
  /// The source entities whose rows go.
  let removedEntities: [String]
  /// Which values keep the files of external data.
  private(set) var fileOwners = FileOwners()

  /// Takes what a plan is computed from, with an inferred mapping, so that rows stay what they are.
  init(_ planner: MigrationPlanner, _ snapshot: StoreSnapshot) {
    self.init(planner, snapshot, staged: planner.source, entities: [], continuing: planner.mapping.entityMappings)
  }

  /// Takes what a plan is computed from, with a custom mapping.
  ///
  /// - Parameters:
  ///   - policies: the policy or replacement for the policy class of each mapping, by the mapping's name.
  ///   - kept: the source tables that become tables of the destination as they are.
  init(
    _ planner: MigrationPlanner, _ snapshot: StoreSnapshot, policies: [String: ResolvedPolicy],
    keeping kept: Set<String> = []
  ) throws(MigrationRefusal) {
    let staged = planner.source.staged(keeping: kept)
    let entities = try MappedEntity.entities(of: planner, staged: staged, policies: policies)
    self.init(
      planner, snapshot, staged: staged, entities: entities, continuing: MappedEntity.continuing(among: entities))
  }

  /// Takes the entities whose rows go on under their keys as `continuing`, each with what it becomes.
  private init(
    _ planner: MigrationPlanner, _ snapshot: StoreSnapshot, staged: StoreModel, entities: [MappedEntity],
    continuing: [EntityMapping]
  ) {
    (source, destination, mapping) = (planner.source, planner.destination, planner.mapping)
    (options, now) = (planner.options, planner.now)
    (self.staged, self.snapshot, self.entities) = (staged, snapshot, entities)
    index = MappedEntityIndex(entities)
    var mappings: [String: EntityMapping] = [:]
    var destinationNames: [String: String] = [:]
    var renumbering: [Int: Int] = [:]
    for mapping in continuing {
      guard let name = mapping.destination else { continue }
      mappings[name] = mapping
      if let source = mapping.source, destinationNames[source] == nil { destinationNames[source] = name }
      if let from = mapping.source.flatMap(source.number(of:)), let to = destination.number(of: name) {
        renumbering[from] = to
      }
    }
    (self.mappings, self.destinationNames, self.renumbering) = (mappings, destinationNames, renumbering)
    rowCounts = Dictionary(snapshot.tables.map { ($0.name, $0.rowCount) }, uniquingKeysWith: { first, _ in first })
    removedEntities = source.layout.entityNumbers.map(\.name).filter { destinationNames[$0] == nil }
    fileOwners = FileOwners(self)
  }

  func mapping(of entity: String) -> EntityMapping? { mappings[entity] }

  /// The number of rows in a table of the store, 0 when they were not counted.
  func rowCount(ofTable name: String) -> Int { rowCounts[name] ?? 0 }

  /// The destination entity that a source entity's rows become.
  func destinationName(of entity: String) -> String? { destinationNames[entity] }

  /// The number of rows of exactly this source entity.
  func rowCount(ofSourceEntity name: String) -> Int {
    guard let table = source.table(ofEntity: name), let number = source.number(of: name) else { return 0 }
    return snapshot.rowCounts[table.name]?[number] ?? 0
  }

  /// False if the rows of the snapshot were not counted, so that any table may have some.
  private var isCounted: Bool { !snapshot.rowCounts.isEmpty }

  /// True if a table of the store has rows, or may have some because they were not counted.
  func mayHaveRows(inTable name: String) -> Bool { !isCounted || rowCount(ofTable: name) > 0 }

  /// True if a table has rows of an entity number, or may have some because they were not counted.
  func mayHaveRows(ofNumber number: Int, inTable name: String) -> Bool {
    !isCounted || (snapshot.rowCounts[name]?[number] ?? 0) > 0
  }

  /// True if some surviving entity has another number in the destination.
  var renumbers: Bool { renumbering.contains { $0.key != $0.value } }

  /// The source relationship whose links become those of a destination relationship, seen from an entity.
  func sourceRelationship(of name: String, in entity: String) -> PropertyAddress? {
    guard let mapping = mapping(of: entity), let source = mapping.source,
      let relationship = mapping.relationship(name)?.source
    else { return nil }
    return self.source.address(ofRelationship: relationship, in: source)
  }

  /// True if the order of a destination relationship was lost on the path.
  func losesOrder(_ address: PropertyAddress) -> Bool { passes(address, \.losesOrder) }

  private static let history: Set<String> = [HistorySteps.table, "ATRANSACTION", "ATRANSACTIONSTRING"]

  /// Refuses a store whose tables of other kinds refer to entity numbers or keys that change.
  ///
  /// - Parameter rowsChange: true if rows go or get other keys whatever the entity numbers do.
  func refuseUnknownReferences(rowsChange: Bool = false) throws(MigrationRefusal) {
    if snapshot.isMirrored, !options.allowsCloudKit, let (old, new) = renames.min(by: { $0.old < $1.old }) {
      throw .cloudKitRename(element: old, name: new)
    }
    let renumbered = rowsChange || renumbers || !removedEntities.isEmpty
    guard renumbered else { return }
    let others = snapshot.tables.map(\.name).filter { $0.hasPrefix("A") && !Self.history.contains($0) }
    let cloudKit = others.filter { $0.hasPrefix("ANSCK") }
    if !cloudKit.isEmpty, !options.allowsCloudKit { throw .cloudKitTables(cloudKit) }
    let unknown = others.filter { !$0.hasPrefix("ANSCK") }
    if !unknown.isEmpty, !options.allowsForeignReferences { throw .unknownTables(unknown) }
    guard !options.allowsForeignReferences else { return }
    let known = Set(source.layout.entityNumbers.map(\.number))
    let taken = Set(destination.layout.entityNumbers.map(\.number))
    let foreign = snapshot.entityRows.filter { !known.contains($0.number) && taken.contains($0.number) }
    if !foreign.isEmpty { throw .foreignEntityNumbers(foreign.map(\.name)) }
  }

  /// The entities and relationships that get another name.
  private var renames: [(old: String, new: String)] {
    destinationNames.filter { $0.key != $0.value }.map { ($0.key, $0.value) }
      + mappings.values.flatMap { mapping in
        mapping.inferredRelationships.compactMap { name, relationship -> (old: String, new: String)? in
          guard let entity = mapping.source, let source = relationship.source, source != name else { return nil }
          return ("\(entity).\(source)", name)
        }
      }
  }

  /// Refuses a store in which something of the app's own has a name that a table or column gets.
  func refuseTakenNames(_ tables: TableFates) throws(MigrationRefusal) {
    let sourceTables = Set(source.layout.tables.map(\.name))
    let others = snapshot.tables.map(\.name) + snapshot.virtualTables + snapshot.views.map(\.name)
    let wanted = Set(destination.layout.tables.map { $0.name.lowercased() })
    for name in others where !sourceTables.contains(name) && wanted.contains(name.lowercased()) {
      throw .nameTaken(table: name, column: nil)
    }
    for transfer in tables.transfers {
      let wanted = Set(transfer.destination.columns.map { $0.name.lowercased() })
      for table in transfer.feeders.map(\.table.name) {
        for column in unknownColumns(ofTable: table) where wanted.contains(column.name.lowercased()) {
          throw .nameTaken(table: table, column: column.name)
        }
      }
    }
  }

  /// In place while few rows are touched, else in a copy.
  func strategy(for steps: [PlanStep], makesRows: Bool) -> (MigrationStrategy, StrategyReason) {
    if let strategy = options.strategy { return (strategy, .asked) }
    if makesRows { return (.clone, .rowsMadeAnew) }
    let touched = steps.filter(\.touchesObjects).reduce(0) { $0 + $1.rows }
    guard touched > 0 else { return (.inPlace, .noRowsTouched) }
    let all = snapshot.tables.reduce(0) { $0 + $1.rowCount }
    let few = max(10_000, all / 10)
    return touched <= few ? (.inPlace, .fewRowsTouched(touched)) : (.clone, .manyRowsTouched(touched))
  }

  /// Rows whose entity number no entity has would be left behind where a table is copied, and miscounted elsewhere.
  func strayRowChecks() -> [PlanCheck] {
    source.layout.tables.compactMap { table in
      guard case .hierarchy(let root) = table.content, !source.hierarchy.isAlone(root) else { return nil }
      guard mayHaveRows(inTable: table.name) else { return nil }
      let numbers = source.familyNumbers(of: root)
      guard !isCounted(table.name, withNoneBeyond: numbers) else { return nil }
      let number: SQLStatement = "\(name: "Z_ENT")"
      return PlanCheck(
        blocker: .rowsOfNoEntity(root: root, table: table.name),
        query: """
          SELECT \(name: "Z_PK") FROM \(name: table.name) WHERE \(number) IS NULL OR typeof(\(number)) <> 'integer' \
          OR \(number) NOT IN (\(.list(numbers))) ORDER BY \(name: "Z_PK")
          """)
    }
  }

  /// True if the rows were counted by entity number and all numbers are known; 0 is for rows without a number.
  private func isCounted(_ table: String, withNoneBeyond numbers: [Int]) -> Bool {
    guard let counts = snapshot.rowCounts[table], !numbers.contains(0) else { return false }
    return counts.keys.allSatisfy(numbers.contains)
  }
}

/// The names of what a plan makes and takes away again; a model's own tables and columns begin with `Z`.
enum TemporaryName {
  /// A table of the source that makes room for one of the same name.
  static func source(_ table: String) -> String { "modelctl_old_\(table)" }

  /// A column between two names, where another column has the second one still.
  static func column(_ position: Int) -> String { "modelctl_\(position)" }

  /// A column that gets another type, until the statement that gives it its own name again has every program read the
  /// schema again.
  static func retyped(_ position: Int) -> String { "modelctl_type_\(position)" }

  /// A temporary table for links of a relationship that are stored in a different form.
  static func links(_ relationship: String) -> String { "modelctl_links_\(relationship)" }

  /// A temporary table with copies of an entity's rows; `number` distinguishes several such tables.
  static func duplicates(of entity: String, _ number: Int) -> String { "modelctl_duplicates_\(entity)_\(number)" }

  /// The links that the entity mappings make of a relationship; mapped plans count from 1.
  static func gatheredLinks(_ position: Int) -> String { links("\(position + 1)") }

  /// The source and destination keys of an entity mapping.
  static func association(_ position: Int) -> String { "modelctl_map_\(position + 1)" }

  /// The keys that the objects of an entity mapping are to have.
  static func keys(_ position: Int) -> String { "modelctl_keys_\(position + 1)" }

  /// The values for which columns have no room, as they are before the plan runs.
  static let exactValues = "modelctl_exact_before"

  /// The objects of an entity mapping that its policy has linked as the expressions say.
  static func defaults(_ position: Int) -> String { "modelctl_default_\(position + 1)" }
}
