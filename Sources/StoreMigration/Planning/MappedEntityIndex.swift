import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Entity mappings by what they are asked for by, in their order.
struct MappedEntityIndex {
  fileprivate let byPosition: [Int: MappedEntity]
  fileprivate let byName: [String: [MappedEntity]]
  fileprivate let bySource: [String: [MappedEntity]]
  fileprivate let byTable: [String: [MappedEntity]]
  fileprivate let hasCode: Bool

  init(_ entities: [MappedEntity]) {
    byPosition = Dictionary(entities.map { ($0.position, $0) }) { first, _ in first }
    byName = Dictionary(grouping: entities, by: \.mapping.name)
    bySource = Dictionary(grouping: entities, by: \.source)
    byTable = Dictionary(grouping: entities, by: \.destinationTable.name)
    hasCode = entities.contains(where: \.isCoded)
  }
}

extension PlanningContext {
  /// The mapping at a position of the mapping model, nil for one that makes no rows.
  func entity(at position: Int) -> MappedEntity? { index.byPosition[position] }

  /// The mappings of a name.
  func entities(named name: String) -> [MappedEntity] { index.byName[name] ?? [] }

  /// The mappings that read a source entity.
  func entities(reading source: String) -> [MappedEntity] { index.bySource[source] ?? [] }

  /// The mappings that read a source entity or one below it.
  func entities(readingFamilyOf source: String) -> [MappedEntity] {
    let family = self.source.hierarchy.family(of: source)
    let found = family.flatMap { entities(reading: $0.name) }
    return family.count == 1 ? found : found.sorted { $0.position < $1.position }
  }

  /// The mappings that fill a destination table.
  func entities(filling table: SQLTable) -> [MappedEntity] { index.byTable[table.name] ?? [] }

  /// The number of rows that a mapping reads at the most.
  func rowCount(of entity: MappedEntity) -> Int { rowCount(ofSourceEntity: entity.source) }

  /// Compiles the expressions of a mapping over the source row, which goes by the name `source`, in the tables as they
  /// are named while the plan runs or before.
  func compiler(of entity: MappedEntity, isStaged: Bool = true) -> ExpressionCompiler {
    ExpressionCompiler(
      source: isStaged ? staged : source, entity: entity.source, row: "source", policy: entity.policy, now: now)
  }

  /// True when a policy in code makes objects.
  var hasCode: Bool { index.hasCode }
}
