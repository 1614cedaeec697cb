import ModelDescription

/// Lays out the table of a root entity: which columns it has, their names, and their order in a fresh store.
struct HierarchyTableBuilder {
  private let hierarchy: EntityHierarchy
  private let numbers: [String: Int]
  private let root: EntityDescription
  private let owners: [RelationshipEnds]
  private let walk: ModelWalk
  private var names = NameAllocation(taken: SQLColumn.fixed.map(\.name))
  private var references: [SQLColumn] = []
  private var orders: [(column: SQLColumn, position: Int)] = []
  private var values: [ValueBlock: [SQLColumn]] = [:]
  private(set) var warnings: [LayoutWarning] = []

  /// The blocks of value columns after the integers, in their order.
  private enum ValueBlock: CaseIterable {
    case real, decimal, string, uri, uuid, transformable, binary

    init?(_ type: AttributeType) {
      switch type {
      case .double, .float, .date: self = .real
      case .decimal: self = .decimal
      case .string: self = .string
      case .uri: self = .uri
      case .uuid: self = .uuid
      case .transformable: self = .transformable
      case .binary: self = .binary
      default: return nil
      }
    }
  }

  /// Prepares a table; `owners` are the to-many relationships without inverse that point at an entity of this table, in
  /// the order of their columns.
  init(
    root: EntityDescription, owners: [RelationshipEnds], hierarchy: EntityHierarchy, numbers: [String: Int],
    walk: ModelWalk
  ) {
    self.walk = walk
    self.hierarchy = hierarchy
    self.numbers = numbers
    self.root = root
    self.owners = owners
  }

  /// The table.
  mutating func table() -> SQLTable {
    for entity in hierarchy.family(of: root.name) {
      for attribute in hierarchy.storedAttributes(of: entity) { add(attribute, of: entity) }
      for ends in hierarchy.relationshipEnds(of: entity) where !ends.relationship.isToMany { add(ends) }
    }
    for ends in owners { addOwner(ends) }
    return SQLTable(
      name: "Z\(root.name.uppercased())",
      content: .hierarchy(root: root.name),
      columns: SQLColumn.fixed + references + orders.sorted { $0.position < $1.position }.map(\.column)
        + ValueBlock.allCases.flatMap { values[$0] ?? [] }
    )
  }

  private mutating func add(_ attribute: AttributeDescription, of entity: EntityDescription) {
    for leaf in attribute.leaves {
      let address = PropertyAddress(entity: entity.name, property: leaf.path.joined(separator: "."))
      guard let type = SQLColumn.DeclaredType(leaf.attribute.type) else {
        warnings.append(.attributeWithoutColumn(address, type: leaf.attribute.type.name))
        continue
      }
      let name = names.claim("Z\(leaf.attribute.name.uppercased())")
      let column = SQLColumn(name: name, type: type, role: .attribute(address))
      if let block = ValueBlock(leaf.attribute.type) {
        values[block, default: []].append(column)
      } else {
        references.append(column)
      }
    }
  }

  private mutating func add(_ ends: RelationshipEnds) {
    let name = names.claim("Z\(ends.relationship.name.uppercased())")
    references.append(SQLColumn(name: name, type: .integer, role: .toOne(ends.address)))
    if !hierarchy.subentities(of: ends.destination.name).isEmpty, let number = numbers[ends.destination.name] {
      let companion = names.claim(SQLColumn.companionName(for: name, number: number))
      references.append(SQLColumn(name: companion, type: .integer, role: .toOneEntity(ends.address)))
    }
    if let inverse = ends.inverse, inverse.relationship.isToMany, inverse.relationship.isOrdered {
      addOrder(of: name, .toOneOrder(ends.address), list: inverse.address)
    }
  }

  private mutating func addOwner(_ ends: RelationshipEnds) {
    let number = numbers[ends.address.entity] ?? 0
    let name = names.claim("Z\(number)\(ends.relationship.name.uppercased())")
    references.append(SQLColumn(name: name, type: .integer, role: .toManyOwner(ends.address)))
    if ends.relationship.isOrdered { addOrder(of: name, .toManyOwnerOrder(ends.address), list: ends.address) }
  }

  /// Order columns stand as the walk meets the lists that they order.
  private mutating func addOrder(of column: String, _ role: SQLColumn.Role, list: PropertyAddress) {
    let name = names.claim(SQLColumn.orderName(forReference: column))
    orders.append((SQLColumn(name: name, type: .integer, role: role), walk.positions[list] ?? .max))
  }
}

/// The names already given out in one namespace of SQL, which knows no case.
struct NameAllocation {
  private var taken: Set<String>

  init(taken: [String] = []) {
    self.taken = Set(taken.map { $0.uppercased() })
  }

  /// Gives out a name: the wanted one, else the first free of those with a suffix 1, 2, ….
  mutating func claim(_ wanted: String) -> String {
    var name = wanted
    var suffix = 0
    while !taken.insert(name.uppercased()).inserted {
      suffix += 1
      name = "\(wanted)\(suffix)"
    }
    return name
  }
}
