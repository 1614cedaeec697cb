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
    (self.walk, self.hierarchy, self.numbers) = (walk, hierarchy, numbers)
    (self.root, self.owners) = (root, owners)
  }

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

  /// Adds the order column of a list, at the position where the walk finds the list.
  private mutating func addOrder(of column: String, _ role: SQLColumn.Role, list: PropertyAddress) {
    let name = names.claim(SQLColumn.orderName(forReference: column))
    orders.append((SQLColumn(name: name, type: .integer, role: role), walk.positions[list] ?? .max))
  }
}

/// The used names of one SQL namespace, compared without case.
struct NameAllocation {
  private var taken: Set<String>

  init(taken: [String] = []) { self.taken = Set(taken.map { $0.uppercased() }) }

  /// Returns a free name: the requested name, or the first free name with a suffix 1, 2, ….
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

/// The columns of a model's attributes and to-one relationships.
struct StoredColumns {
  private let hierarchy: EntityHierarchy
  private var columns: [PropertyAddress: SQLColumn] = [:]
  private var owners: [PropertyAddress: SQLColumn] = [:]
  private var tables: [String: String] = [:]

  init(hierarchy: EntityHierarchy, tables: [SQLTable]) {
    self.hierarchy = hierarchy
    for table in tables {
      guard case .hierarchy(let root) = table.content else { continue }
      self.tables[root] = table.name
      for column in table.columns {
        switch column.role {
        case .attribute(let address), .toOne(let address): columns[address] = column
        case .toManyOwner(let address): owners[address] = column
        default: break
        }
      }
    }
  }

  func table(of entity: String) -> String? { tables[hierarchy.rootName(of: entity)] }

  /// The column of an attribute or to-one relationship of an entity, including inherited ones.
  func column(of property: String, in entity: String) -> SQLColumn? {
    for ancestor in hierarchy.lineage(of: entity) {
      if let column = columns[PropertyAddress(entity: ancestor.name, property: property)] { return column }
    }
    return nil
  }

  /// The column that a to-many without inverse has in the table of its destination.
  func ownerColumn(of address: PropertyAddress) -> SQLColumn? { owners[address] }
}

/// A stored relationship with its destination and inverse.
struct RelationshipEnds {
  let address: PropertyAddress
  let relationship: RelationshipDescription
  let destination: EntityDescription
  /// The inverse, by its own declaring entity.
  let inverse: (address: PropertyAddress, relationship: RelationshipDescription)?

  /// True for a to-many relationship whose inverse is also a to-many relationship.
  var isManyToMany: Bool { relationship.isToMany && inverse?.relationship.isToMany == true }

  var isReflexive: Bool { inverse?.address == address }

  /// True for a many-to-many pair whose relationships are declared by the same entity.
  var isSelfJoin: Bool { isManyToMany && !isReflexive && inverse?.address.entity == address.entity }

  /// The same pair seen from the inverse, of a self-join.
  var turned: RelationshipEnds {
    guard let inverse else { return self }
    return RelationshipEnds(
      address: inverse.address, relationship: inverse.relationship, destination: destination,
      inverse: (address, relationship))
  }

  private init(
    address: PropertyAddress, relationship: RelationshipDescription, destination: EntityDescription,
    inverse: (address: PropertyAddress, relationship: RelationshipDescription)?
  ) {
    (self.address, self.relationship, self.destination, self.inverse) = (address, relationship, destination, inverse)
  }

  /// Resolves a relationship of an entity; nil if it is transient or its destination is not in the model.
  init?(_ relationship: RelationshipDescription, declaredBy entity: String, in hierarchy: EntityHierarchy) {
    guard !relationship.isTransient, let name = relationship.destinationEntityName,
      let destination = hierarchy.entity(named: name)
    else { return nil }
    self.address = PropertyAddress(entity: entity, property: relationship.name)
    (self.relationship, self.destination) = (relationship, destination)
    self.inverse = relationship.inverseName.flatMap { inverseName in
      for candidate in hierarchy.lineage(of: destination.name) {
        if let inverse = candidate.relationships.first(where: { $0.name == inverseName }), !inverse.isTransient {
          return (PropertyAddress(entity: candidate.name, property: inverse.name), inverse)
        }
      }
      return nil
    }
  }
}

extension EntityHierarchy {
  /// The stored relationships that an entity declares itself, sorted by name, without those that repeat an inherited
  /// relationship.
  func relationshipEnds(of entity: EntityDescription) -> [RelationshipEnds] {
    let inherited = Set(
      lineage(of: entity.name).dropFirst().flatMap { $0.relationships.filter { !$0.isTransient }.map(\.name) })
    return entity.relationships.filter { !inherited.contains($0.name) }
      .sorted { $0.name.precedesByBytes($1.name) }
      .compactMap { RelationshipEnds($0, declaredBy: entity.name, in: self) }
  }

  /// The stored attributes that an entity declares itself, sorted by name, without those that repeat an inherited
  /// attribute.
  func storedAttributes(of entity: EntityDescription) -> [AttributeDescription] {
    let inherited = Set(
      lineage(of: entity.name).dropFirst().flatMap { $0.attributes.filter { !$0.isTransient }.map(\.name) })
    return entity.attributes.filter { !$0.isTransient && !inherited.contains($0.name) }
      .sorted { $0.name.precedesByBytes($1.name) }
  }
}
