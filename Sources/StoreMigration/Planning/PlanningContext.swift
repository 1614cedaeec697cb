import MappingModels
import ModelDescription
import PersistentStores

/// Everything a plan is computed from.
struct PlanningContext {
  let source: StoreModel
  let destination: StoreModel
  let mapping: MappingModel
  let snapshot: StoreSnapshot
  let options: MigrationOptions

  /// The mapping of every destination entity that has a source, by destination name.
  private let mappings: [String: EntityMapping]
  /// The destination number for every source number whose rows survive.
  let renumbering: [Int: Int]
  /// The source entities whose rows go.
  let removedEntities: [String]

  init(
    source: StoreModel, destination: StoreModel, mapping: MappingModel, snapshot: StoreSnapshot,
    options: MigrationOptions
  ) {
    self.source = source
    self.destination = destination
    self.mapping = mapping
    self.snapshot = snapshot
    self.options = options
    var mappings: [String: EntityMapping] = [:]
    var renumbering: [Int: Int] = [:]
    for mapping in mapping.entityMappings {
      guard let name = mapping.destination else { continue }
      mappings[name] = mapping
      if let from = mapping.source.flatMap(source.number(of:)), let to = destination.number(of: name) {
        renumbering[from] = to
      }
    }
    self.mappings = mappings
    self.renumbering = renumbering
    let kept = Set(mapping.entityMappings.filter { $0.destination != nil }.compactMap(\.source))
    removedEntities = source.layout.entityNumbers.map(\.name).filter { !kept.contains($0) }
  }

  /// The mapping that makes the rows of a destination entity.
  func mapping(of entity: String) -> EntityMapping? { mappings[entity] }

  /// The number of rows in a table of the store, 0 when they were not counted.
  func rowCount(ofTable name: String) -> Int {
    snapshot.tables.first { $0.name == name }?.rowCount ?? 0
  }

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
      let relationship = mapping.relationships[name]?.source
    else { return nil }
    return self.source.address(ofRelationship: relationship, in: source)
  }

  /// True when the order of a destination relationship was lost on the way.
  func losesOrder(_ address: PropertyAddress) -> Bool { passes(address, \.losesOrder) }
}
