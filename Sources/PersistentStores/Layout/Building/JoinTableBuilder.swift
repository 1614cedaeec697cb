import ModelDescription

/// Lays out the join tables of a model's many-to-many pairs.
struct JoinTableBuilder {
  private let hierarchy: EntityHierarchy
  private let numbers: [String: Int]
  /// The many-to-many relationships that each entity declares, in visiting order.
  private var relationships: [String: [RelationshipEnds]] = [:]
  /// The column that holds the rows which own a relationship, by that relationship.
  private var columns: [PropertyAddress: String] = [:]
  private var tableNames: NameAllocation
  private(set) var warnings: [LayoutWarning] = []

  /// Names the join columns of every entity; `taken` are the names of the entity tables.
  init(hierarchy: EntityHierarchy, numbers: [String: Int], taken: [String]) {
    self.hierarchy = hierarchy
    self.numbers = numbers
    self.tableNames = NameAllocation(taken: taken)
    for entity in hierarchy.numberedEntities { visit(entity) }
  }

  private mutating func visit(_ entity: EntityDescription) {
    let manyToMany = hierarchy.relationshipEnds(of: entity).filter(\.isManyToMany)
    guard !manyToMany.isEmpty, let number = numbers[entity.name] else { return }
    let order = VisitingOrder(of: hierarchy.lineage(of: entity.name).flatMap { $0.relationships.map(\.name) })
    let visited = order.names.compactMap { name in manyToMany.first { $0.relationship.name == name } }
    var names = NameAllocation()
    for ends in visited {
      let wanted = "Z_\(number)\((ends.inverse?.address.property ?? ends.address.property).uppercased())"
      let name = names.claim(wanted)
      columns[ends.address] = name
      if name != wanted { warnings.append(.joinColumnSuffix(ends.address)) }
    }
    relationships[entity.name] = visited
  }

  /// The join tables whose naming relationship an entity declares, the last visited first, as fresh stores have them.
  mutating func tables(namedBy entity: EntityDescription) -> [SQLTable] {
    var tables: [SQLTable] = []
    for ends in (relationships[entity.name] ?? []).reversed() where names(ends) {
      guard let number = numbers[entity.name], let inverse = ends.inverse, let source = columns[ends.address],
        let destination = ends.isReflexive ? SQLColumn.reflexiveName : columns[inverse.address]
      else { continue }
      if inverse.address.entity == ends.address.entity, !ends.isReflexive {
        warnings.append(.selfReferencingManyToMany(ends.address))
      }
      tables.append(
        SQLTable(
          joining: ends.address,
          name: tableNames.claim("Z_\(number)\(ends.address.property.uppercased())"),
          source: source, isSourceOrdered: inverse.relationship.isOrdered,
          destination: destination, isDestinationOrdered: ends.relationship.isOrdered
        )
      )
    }
    return tables
  }

  /// True when the relationship, rather than its inverse, names the pair's table.
  private func names(_ ends: RelationshipEnds) -> Bool {
    guard let inverse = ends.inverse?.address, inverse != ends.address else { return true }
    if inverse.entity == ends.address.entity {
      let visited = relationships[inverse.entity, default: []].map(\.address)
      guard let own = visited.firstIndex(of: ends.address), let other = visited.firstIndex(of: inverse) else {
        return true
      }
      return own > other
    }
    let hasSubentities = !hierarchy.subentities(of: ends.address.entity).isEmpty
    guard hasSubentities == !hierarchy.subentities(of: inverse.entity).isEmpty else { return hasSubentities }
    return numbers[ends.address.entity, default: 0] < numbers[inverse.entity, default: 0]
  }
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
