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
  /// The entity mappings that make rows, in order; none where rows stay what they are.
  let entities: [MappedEntity]
  /// What `now()` gives, in seconds since 2001-01-01T00:00:00Z.
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
    self.init(
      planner, snapshot, staged: planner.source, entities: [], continuing: planner.mapping.entityMappings)
  }

  /// Takes what a plan is computed from, with a written mapping.
  ///
  /// - Parameters:
  ///   - planner: the models and the mapping.
  ///   - snapshot: what the store holds.
  ///   - policies: what stands behind the policy class of each mapping, by the mapping's name.
  ///   - kept: the source tables that become tables of the destination as they are.
  /// - Throws: ``MigrationRefusal`` for a mapping of entities that the models do not have.
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
    self.staged = staged
    self.snapshot = snapshot
    self.entities = entities
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
    self.mappings = mappings
    self.destinationNames = destinationNames
    self.renumbering = renumbering
    rowCounts = Dictionary(
      snapshot.tables.map { ($0.name, $0.rowCount) }, uniquingKeysWith: { first, _ in first })
    removedEntities = source.layout.entityNumbers.map(\.name).filter { destinationNames[$0] == nil }
    fileOwners = FileOwners(self)
  }

  /// The mapping that makes the rows of a destination entity.
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

  /// False when the rows of the snapshot were not counted, so that any table may have some.
  private var isCounted: Bool { !snapshot.rowCounts.isEmpty }

  /// True when a table of the store has rows, or may have some because nobody counted.
  func mayHaveRows(inTable name: String) -> Bool { !isCounted || rowCount(ofTable: name) > 0 }

  /// True when a table has rows of an entity number, or may have some because nobody counted.
  func mayHaveRows(ofNumber number: Int, inTable name: String) -> Bool {
    !isCounted || (snapshot.rowCounts[name]?[number] ?? 0) > 0
  }

  /// True when some surviving entity has another number in the destination.
  var renumbers: Bool { renumbering.contains { $0.key != $0.value } }

  /// The source relationship whose links become those of a destination relationship, seen from an entity.
  func sourceRelationship(of name: String, in entity: String) -> PropertyAddress? {
    guard let mapping = mapping(of: entity), let source = mapping.source,
      let relationship = mapping.relationship(name)?.source
    else { return nil }
    return self.source.address(ofRelationship: relationship, in: source)
  }

  /// True when the order of a destination relationship was lost on the way.
  func losesOrder(_ address: PropertyAddress) -> Bool { passes(address, \.losesOrder) }
}
