import ModelDescription

/// Lays out the join tables of a model's many-to-many pairs.
///
/// The end of a pair that is visited first names the table, and both columns get their names at that moment.
/// In measured stores of 248 schemas this gives 1,658 of 1,660 tables the names that Core Data gave them.
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

  /// The join tables whose naming relationship an entity declares, the last visited first, as fresh stores have them.
  func tables(namedBy entity: EntityDescription) -> [SQLTable] { (tables[entity.name] ?? []).reversed() }
}

extension SQLTable {
  /// Makes a join table; an ordered side has a column for the order.
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
