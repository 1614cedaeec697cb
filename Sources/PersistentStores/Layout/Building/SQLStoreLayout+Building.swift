public import ModelDescription

extension SQLStoreLayout {
  /// Lays out the store of a model exactly as Core Data does.
  ///
  /// For a store that is opened with a configuration, use `ManagedObjectModel.restricted(toConfiguration:)`.
  ///
  /// - Parameters:
  ///   - entityNumbers: the numbers of an existing store by entity name; nil to number the entities as in a new store.
  ///   - names: the known names of join tables with both ends on a single entity.
  public init(
    of hierarchy: EntityHierarchy, entityNumbers: [String: Int]? = nil, names: SelfJoinNames = SelfJoinNames()
  ) {
    let numbering = EntityNumbering(of: hierarchy, known: entityNumbers)
    self = LayoutCache.layout(of: hierarchy, numbering, names) { walk in
      SQLStoreLayout(of: hierarchy, numbering, walk, names)
    }
  }

  private init(of hierarchy: EntityHierarchy, _ numbering: EntityNumbering, _ walk: ModelWalk, _ names: SelfJoinNames) {
    var warnings: [LayoutWarning] = []
    var owners: [String: [RelationshipEnds]] = [:]
    for entity in hierarchy.numberedEntities {
      for ends in hierarchy.relationshipEnds(of: entity) where ends.relationship.isToMany && ends.inverse == nil {
        owners[hierarchy.rootName(of: ends.destination.name), default: []].append(ends)
      }
      for relationship in entity.relationships where !relationship.isTransient {
        let destination = relationship.destinationEntityName
        guard destination.flatMap({ hierarchy.entity(named: $0) }) == nil else { continue }
        warnings.append(
          .relationshipWithoutDestination(
            PropertyAddress(entity: entity.name, property: relationship.name), destination: destination))
      }
    }

    var hierarchyTables: [SQLTable] = []
    for root in hierarchy.roots {
      var builder = HierarchyTableBuilder(
        root: root, owners: owners[root.name] ?? [], hierarchy: hierarchy, numbers: numbering.numbers, walk: walk)
      hierarchyTables.append(builder.table())
      warnings += builder.warnings
    }
    let joins = JoinTableBuilder(
      walk: walk, numbers: numbering.numbers, taken: hierarchyTables.map(\.name), names: names)
    var indexes = IndexBuilder(hierarchy: hierarchy, tables: hierarchyTables)
    var triggers = DerivedAttributeTriggerBuilder(
      hierarchy: hierarchy, tables: hierarchyTables, numbers: numbering.numbers)
    var tables: [SQLTable] = []
    for (root, table) in zip(hierarchy.roots, hierarchyTables) {
      let family = hierarchy.family(of: root.name)
      let joinTables = family.flatMap { joins.tables(namedBy: $0) }
      tables.append(table)
      tables += joinTables
      indexes.addIndexes(of: table, family: family, joinTables: joinTables)
      triggers.addTriggers(of: family)
    }
    self.init(
      entityNumbers: numbering.rows,
      tables: tables,
      indexes: indexes.indexes,
      spatialIndexes: indexes.spatialIndexes,
      triggers: triggers.triggers + indexes.spatialTriggers,
      selfJoins: joins.selfJoins,
      warnings: warnings + joins.selfJoins.filter { $0.evidence == .guess }.map { .selfJoinName($0) } + indexes.warnings
        + triggers.warnings
    )
  }
}

/// Lays out the join tables of a model's many-to-many pairs.
///
/// The end of a pair that is visited first names the table, and both columns get their names at that moment. In
/// measured stores of 248 schemas, 1,658 of 1,660 tables get the same names as in Core Data.
struct JoinTableBuilder {
  private let numbers: [String: Int]
  private var tableNames: NameAllocation
  /// The names of join columns that an entity number has.
  private var columnNames: [Int: NameAllocation] = [:]
  /// The tables by the entity that declares the naming relationship, the first visited first.
  private var tables: [String: [SQLTable]] = [:]
  private(set) var selfJoins: [SelfJoin] = []

  /// Names the join tables; `taken` are the names of the entity tables.
  init(walk: ModelWalk, numbers: [String: Int], taken: [String], names: SelfJoinNames) {
    self.numbers = numbers
    tableNames = NameAllocation(taken: taken)
    var named: Set<PropertyAddress> = []
    for visit in walk.visits where visit.ends.isManyToMany && !named.contains(visit.ends.address) {
      guard let inverse = visit.ends.inverse else { continue }
      named.formUnion([visit.ends.address, inverse.address])
      if visit.ends.isSelfJoin {
        let (naming, evidence) = names.naming(visit, inverse: inverse.address)
        add(naming == visit.ends.address ? visit.ends : visit.ends.turned, evidence)
      } else {
        add(visit.ends, nil)
      }
    }
  }

  private mutating func add(_ ends: RelationshipEnds, _ evidence: SelfJoin.Evidence?) {
    guard let inverse = ends.inverse, let number = numbers[ends.address.entity],
      let inverseNumber = numbers[inverse.address.entity]
    else { return }
    let source = column(named: inverse.address.property, number: number)
    let destination =
      ends.isReflexive ? SQLColumn.reflexiveName : column(named: ends.address.property, number: inverseNumber)
    let table = SQLTable(
      joining: ends.address, name: tableNames.claim(Self.tableName(ends.address, number)), source: source,
      isSourceOrdered: inverse.relationship.isOrdered, destination: destination,
      isDestinationOrdered: ends.relationship.isOrdered)
    tables[ends.address.entity, default: []].append(table)
    guard let evidence else { return }
    selfJoins.append(
      SelfJoin(
        naming: ends.address, other: inverse.address, table: table.name,
        otherTable: Self.tableName(inverse.address, inverseNumber), evidence: evidence))
  }

  private static func tableName(_ naming: PropertyAddress, _ number: Int) -> String {
    "Z_\(number)\(naming.property.uppercased())"
  }

  private mutating func column(named property: String, number: Int) -> String {
    columnNames[number, default: NameAllocation()].claim("Z_\(number)\(property.uppercased())")
  }

  /// The join tables whose naming relationship an entity declares, the last visited first, as in new stores.
  func tables(namedBy entity: EntityDescription) -> [SQLTable] { (tables[entity.name] ?? []).reversed() }
}

extension SQLTable {
  /// Creates a join table; an ordered side has an order column.
  init(
    joining naming: PropertyAddress, name: String, source: String, isSourceOrdered: Bool, destination: String,
    isDestinationOrdered: Bool
  ) {
    var columns = [
      SQLColumn(name: source, type: .integer, role: .joinSource(naming)),
      SQLColumn(name: destination, type: .integer, role: .joinDestination(naming)),
    ]
    if isSourceOrdered {
      columns.append(
        SQLColumn(name: SQLColumn.orderName(forJoin: source), type: .integer, role: .joinSourceOrder(naming)))
    }
    if isDestinationOrdered {
      columns.append(
        SQLColumn(name: SQLColumn.orderName(forJoin: destination), type: .integer, role: .joinDestinationOrder(naming)))
    }
    self.init(name: name, content: .join(naming), columns: columns)
  }
}

/// The number of every entity, `Z_ENT`.
struct EntityNumbering {
  let numbers: [String: Int]
  /// The rows of `Z_PRIMARYKEY` in the order of the numbers.
  let rows: [SQLStoreLayout.EntityNumber]

  /// Numbers the entities depth first from 1, except those with a known number.
  ///
  /// An entity without a known number follows the highest number if other entities have known numbers.
  init(of hierarchy: EntityHierarchy, known: [String: Int]?) {
    var numbers: [String: Int] = [:]
    let entities = hierarchy.numberedEntities
    if let known {
      var next = (entities.compactMap { known[$0.name] }.max() ?? 0) &+ 1
      for entity in entities {
        numbers[entity.name] = known[entity.name] ?? next
        if known[entity.name] == nil { next &+= 1 }
      }
    } else {
      for (position, entity) in entities.enumerated() { numbers[entity.name] = position + 1 }
    }
    self.numbers = numbers
    self.rows = entities.map { entity in
      SQLStoreLayout.EntityNumber(
        name: entity.name,
        number: numbers[entity.name] ?? 0,
        superentityNumber: entity.superentityName.flatMap { numbers[$0] } ?? 0
      )
    }.sorted { $0.number < $1.number }
  }
}

/// A cache of recent layouts, so that one migration lays out a model only once.
enum LayoutCache {
  /// A hierarchy by its identity.
  ///
  /// It is retained, so that no other hierarchy gets the same identity.
  struct Model: Equatable, Sendable {
    let hierarchy: EntityHierarchy

    static func == (first: Model, second: Model) -> Bool { first.hierarchy.identity == second.hierarchy.identity }
  }

  private struct Key: Equatable {
    let model: Model
    let numbers: [SQLStoreLayout.EntityNumber]
    let names: SelfJoinNames
  }

  private static let walks = RecentValues<Model, ModelWalk>(capacity: 32)
  private static let layouts = RecentValues<Key, SQLStoreLayout>(capacity: 32)

  static func walk(over hierarchy: EntityHierarchy) -> ModelWalk {
    walks.value(for: Model(hierarchy: hierarchy)) { ModelWalk(of: hierarchy) }
  }

  static func layout(
    of hierarchy: EntityHierarchy, _ numbering: EntityNumbering, _ names: SelfJoinNames,
    make: (ModelWalk) -> SQLStoreLayout
  ) -> SQLStoreLayout {
    let walk = walk(over: hierarchy)
    let isNamed = walk.visits.contains { $0.ends.isSelfJoin }
    let key = Key(
      model: Model(hierarchy: hierarchy), numbers: numbering.rows, names: isNamed ? names : SelfJoinNames())
    return layouts.value(for: key) { make(walk) }
  }
}
