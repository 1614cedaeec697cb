import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// An entity mapping that makes rows, with the tables it reads and writes.
struct MappedEntity {
  /// The relation between a source row's key and the key of its destination row.
  enum Association: Hashable {
    /// Every row keeps its key.
    case kept
    /// A temporary table holds the keys of each pair.
    case table(String)
  }

  /// Its place among the mappings, which run in this order.
  let position: Int
  let mapping: EntityMapping
  let source: String
  let destination: String
  /// The source table under the name it has while the plan runs.
  let sourceTable: SQLTable
  let sourceNumber: Int
  let destinationTable: SQLTable
  let destinationNumber: Int
  /// True if rows keep their key, as far as they are made at all.
  let keepsKeys: Bool
  let association: Association
  /// Its policy, whose stand-in or functions its expressions may use.
  let policy: ExpressionPolicy?
  /// True if a policy in code makes and links the objects.
  let isCoded: Bool

  /// Selects the pairs of keys as `src` and `dst`, to stand in a `FROM` clause.
  var pairs: SQLStatement {
    switch association {
    case .kept:
      """
      (SELECT \(name: "Z_PK") AS src, \(name: "Z_PK") AS dst FROM \(name: sourceTable.name) \
      WHERE \(name: "Z_ENT") = \(.number(sourceNumber)))
      """
    case .table(let table): "\(name: "temp").\(name: table)"
    }
  }

  /// The key of the row made of a source row, NULL when there is none or the row is of a different entity.
  func key(ofRow key: SQLStatement) -> SQLStatement {
    switch association {
    case .kept:
      """
      (SELECT target.\(name: "Z_PK") FROM \(name: sourceTable.name) AS target \
      WHERE target.\(name: "Z_PK") = \(key) AND target.\(name: "Z_ENT") = \(.number(sourceNumber)))
      """
    case .table(let table): "(SELECT pair.dst FROM \(name: "temp").\(name: table) AS pair WHERE pair.src = \(key))"
    }
  }

  /// The temporary table that holds the key each object is to have, nil if rows keep theirs whatever happens.
  ///
  /// Which objects a policy makes is its own affair; the keys of the first of each source object are set aside.
  var keysTable: String? {
    guard case .table(let table) = association else { return nil }
    if isCoded { return keepsKeys ? nil : TemporaryName.keys(position) }
    return table
  }

  /// The temporary table of the objects that a policy has linked as the expressions say.
  var defaultsTable: String { TemporaryName.defaults(position) }

  /// SQL in place of the policy's work on attributes, by attribute.
  var replacedAttributes: [String: String] { policy?.replacement?.attributes ?? [:] }

  /// The paths whose values its attributes get, and those that its policy's SQL reads.
  var carriedPaths: CarriedPaths {
    var paths = CarriedPaths()
    for attribute in mapping.attributeMappings where replacedAttributes[attribute.name] == nil {
      paths.add(attribute.value)
    }
    for sql in replacedAttributes.values { paths.add(sql: sql) }
    paths.formUnion(functionPaths)
    return paths
  }

  /// The paths that the SQL in place of its policy's functions reads.
  var functionPaths: CarriedPaths {
    var paths = CarriedPaths()
    for sql in (policy?.replacement?.functions ?? [:]).values { paths.add(sql: sql) }
    return paths
  }

  var step: PlanCause.EntityStep { .init(mapping: mapping.name, source: source, destination: destination) }

  /// The entity mappings of a mapping model that make rows, in order.
  ///
  /// - Parameters:
  ///   - staged: the source's tables under the names they have while the plan runs.
  ///   - policies: the policy or replacement for the policy class of each mapping, by the mapping's name.
  static func entities(
    of planner: MigrationPlanner, staged: StoreModel, policies: [String: ResolvedPolicy]
  ) throws(MigrationRefusal) -> [MappedEntity] {
    var keys = KeyPlan()
    var entities: [MappedEntity] = []
    var names: Set<String> = []
    for (position, entity) in planner.mapping.entityMappings.enumerated() {
      guard names.insert(entity.name).inserted else { throw .mapping(name: entity.name, .nameIsTaken) }
      if let name = entity.source, planner.source.hierarchy.entity(named: name) == nil {
        throw .mapping(name: entity.name, .unknownSource(name))
      }
      if let name = entity.destination, planner.destination.hierarchy.entity(named: name) == nil {
        throw .mapping(name: entity.name, .unknownDestination(name))
      }
      guard let from = entity.source, let to = entity.destination, let sourceTable = staged.table(ofEntity: from),
        let sourceNumber = staged.number(of: from), let destinationTable = planner.destination.table(ofEntity: to),
        let destinationNumber = planner.destination.number(of: to)
      else { continue }
      let keepsKeys = keys.keepsKeys(
        from: from, root: planner.source.hierarchy.rootName(of: from), into: destinationTable.name)
      let policy = policies[entity.name]
      let isCoded = policy?.factory != nil
      let isWhole = keepsKeys && entity.filter == nil && !isCoded
      entities.append(
        MappedEntity(
          position: position, mapping: entity, source: from, destination: to, sourceTable: sourceTable,
          sourceNumber: sourceNumber, destinationTable: destinationTable, destinationNumber: destinationNumber,
          keepsKeys: keepsKeys, association: isWhole ? .kept : .table(TemporaryName.association(position)),
          policy: policy.map {
            ExpressionPolicy(className: entity.policyClassName ?? "", replacement: $0.replacement)
          }, isCoded: isCoded))
    }
    return entities
  }

  /// The entities whose rows go on under their keys: each destination entity continues the first source that keeps them.
  static func continuing(among entities: [MappedEntity]) -> [EntityMapping] {
    var (continued, made): (Set<String>, Set<String>) = ([], [])
    return entities.filter(\.keepsKeys).compactMap { entity -> EntityMapping? in
      guard !continued.contains(entity.source), !made.contains(entity.destination) else { return nil }
      continued.insert(entity.source)
      made.insert(entity.destination)
      return EntityMapping(source: entity.source, destination: entity.destination)
    }
  }
}

/// Which entity mappings keep their rows' keys.
///
/// The first mapping into a destination root's table decides from which source root keys are kept; a second mapping of
/// one source entity, and any of a different source root, may meet keys that are taken.
private struct KeyPlan {
  private var keepers: [String: (root: String, entities: Set<String>)] = [:]

  /// Decides about the next mapping in order.
  mutating func keepsKeys(from source: String, root: String, into table: String) -> Bool {
    guard var keeper = keepers[table] else {
      keepers[table] = (root, [source])
      return true
    }
    guard keeper.root == root, keeper.entities.insert(source).inserted else { return false }
    keepers[table] = keeper
    return true
  }
}

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

  func entities(named name: String) -> [MappedEntity] { index.byName[name] ?? [] }

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

  var hasCode: Bool { index.hasCode }
}
