import MappingModels
import ModelDescription
import PersistentStores

/// Everything a plan of a mapping model is computed from.
struct MappedContext {
  /// The source's tables under the names they have before anything runs.
  let source: StoreModel
  /// The source's tables under the names they have while the plan runs.
  let staged: StoreModel
  let destination: StoreModel
  let mapping: CustomMappingModel
  let snapshot: StoreSnapshot
  let options: MigrationOptions
  /// The entity mappings that make rows, in order.
  let entities: [MappedEntity]
  /// The look-ups that plans of every kind share; each destination entity continues the first source that keeps its keys.
  let surroundings: PlanningContext
  /// What `now()` gives, in seconds since 2001-01-01T00:00:00Z.
  let now: Double

  /// Takes what a plan is computed from, what stands behind the policy class of each mapping, by the mapping's name, and
  /// the source tables that become tables of the destination as they are.
  init(
    source: StoreModel, destination: StoreModel, mapping: CustomMappingModel, snapshot: StoreSnapshot,
    options: MigrationOptions, policies: [String: ResolvedPolicy], now: Double, keeping kept: Set<String> = []
  ) throws(MigrationRefusal) {
    self.now = now
    self.source = source
    self.destination = destination
    self.mapping = mapping
    self.snapshot = snapshot
    self.options = options
    let staged = source.staged(keeping: kept)
    self.staged = staged
    var keys = KeyPlan()
    var entities: [MappedEntity] = []
    var names: Set<String> = []
    for (position, entity) in mapping.entityMappings.enumerated() {
      guard names.insert(entity.name).inserted else { throw .mapping(name: entity.name, .nameIsTaken) }
      if let name = entity.source, source.hierarchy.entity(named: name) == nil {
        throw .mapping(name: entity.name, .unknownSource(name))
      }
      if let name = entity.destination, destination.hierarchy.entity(named: name) == nil {
        throw .mapping(name: entity.name, .unknownDestination(name))
      }
      guard let from = entity.source, let to = entity.destination, let sourceTable = staged.table(ofEntity: from),
        let sourceNumber = staged.number(of: from), let destinationTable = destination.table(ofEntity: to),
        let destinationNumber = destination.number(of: to)
      else { continue }
      let keepsKeys = keys.keepsKeys(
        from: from, root: source.hierarchy.rootName(of: from), into: destinationTable.name)
      let policy = policies[entity.name]
      let isCoded = policy?.factory != nil
      let isWhole = keepsKeys && entity.filter == nil && !isCoded
      entities.append(
        MappedEntity(
          position: position, mapping: entity, source: from, destination: to, sourceTable: sourceTable,
          sourceNumber: sourceNumber, destinationTable: destinationTable, destinationNumber: destinationNumber,
          keepsKeys: keepsKeys, association: isWhole ? .kept : .table(TemporaryName.association(position)),
          policy: policy.map {
            ExpressionPolicy(className: entity.policyClassName ?? "", standIn: $0.standIn)
          }, isCoded: isCoded))
    }
    self.entities = entities
    var (continued, made): (Set<String>, Set<String>) = ([], [])
    let surviving = entities.filter(\.keepsKeys).compactMap { entity -> EntityMapping? in
      guard !continued.contains(entity.source), !made.contains(entity.destination) else { return nil }
      continued.insert(entity.source)
      made.insert(entity.destination)
      return EntityMapping(source: entity.source, destination: entity.destination)
    }
    surroundings = PlanningContext(
      source: source, destination: destination, mapping: MappingModel(entityMappings: surviving), snapshot: snapshot,
      options: options)
  }

  /// The mapping at a position of the mapping model, nil for one that makes no rows.
  func entity(at position: Int) -> MappedEntity? { entities.first { $0.position == position } }

  /// The mappings that read a source entity.
  func entities(reading source: String) -> [MappedEntity] { entities.filter { $0.source == source } }

  /// The mappings that fill a destination table.
  func entities(filling table: SQLTable) -> [MappedEntity] {
    entities.filter { $0.destinationTable.name == table.name }
  }

  /// The number of rows that a mapping reads at the most.
  func rowCount(of entity: MappedEntity) -> Int { surroundings.rowCount(ofSourceEntity: entity.source) }

  /// The source roots whose rows a destination root's table gets.
  var feedingRoots: [String: Set<String>] {
    var roots: [String: Set<String>] = [:]
    for entity in entities {
      let root = destination.hierarchy.rootName(of: entity.destination)
      roots[root, default: []].insert(source.hierarchy.rootName(of: entity.source))
    }
    return roots
  }

  /// Compiles the expressions of a mapping over the source row, which goes by the name `source`, in the tables as they
  /// are named while the plan runs or before.
  func compiler(of entity: MappedEntity, isStaged: Bool = true) -> ExpressionCompiler {
    ExpressionCompiler(
      source: isStaged ? staged : source, entity: entity.source, row: "source", policy: entity.policy, now: now)
  }

  /// True when a policy in code makes objects.
  var hasCode: Bool { entities.contains(where: \.isCoded) }

  /// True when an object of a source entity may be found under another key, or not at all.
  var movesRows: Bool { entities.contains { $0.association != .kept } }
}
