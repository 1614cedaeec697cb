public import ModelDescription

extension SQLStoreLayout {
  /// The number of an entity.
  public func number(of entity: String) -> Int? {
    entityNumbers.first { $0.name == entity }?.number
  }

  /// The entity of a number.
  public func entity(number: Int) -> String? {
    entityNumbers.first { $0.number == number }?.name
  }

  /// The name of an entity's parent.
  public func superentity(of entity: String) -> String? {
    guard let row = entityNumbers.first(where: { $0.name == entity }), row.superentityNumber != 0 else { return nil }
    return self.entity(number: row.superentityNumber)
  }

  /// The entity itself and its ancestors, nearest first.
  public func lineage(of entity: String) -> [String] {
    var lineage: [String] = []
    var next: String? = number(of: entity) == nil ? nil : entity
    while let name = next, lineage.count < entityNumbers.count {
      lineage.append(name)
      next = superentity(of: name)
    }
    return lineage
  }

  /// The numbers of an entity and of everything below it, ascending.
  public func numbers(ofFamily entity: String) -> [Int] {
    entityNumbers.filter { lineage(of: $0.name).contains(entity) }.map(\.number)
  }

  /// The table of this name.
  public func table(named name: String) -> SQLTable? {
    tables.first { $0.name == name }
  }

  /// The table that holds the rows of an entity.
  public func table(ofEntity entity: String) -> SQLTable? {
    guard let root = lineage(of: entity).last else { return nil }
    return tables.first { $0.content == .hierarchy(root: root) }
  }

  /// The column of an attribute, or of an element of a composite one, of an entity or of an ancestor.
  public func column(ofAttribute address: PropertyAddress) -> SQLColumn? {
    column(of: address) { .attribute($0) }
  }

  /// The column of a role in an entity's table, where an ancestor may declare the property.
  private func column(of address: PropertyAddress, role: (PropertyAddress) -> SQLColumn.Role) -> SQLColumn? {
    let lineage = lineage(of: address.entity)
    guard let root = lineage.last, let table = tables.first(where: { $0.content == .hierarchy(root: root) }) else {
      return nil
    }
    for ancestor in lineage {
      if let column = table.column(role(PropertyAddress(entity: ancestor, property: address.property))) {
        return column
      }
    }
    return nil
  }

  /// Where the store keeps a relationship.
  ///
  /// - Parameters:
  ///   - address: the relationship, of the entity that declares it or of one that inherits it.
  ///   - hierarchy: the model of this layout.
  /// - Returns: nil when the relationship is not stored or not there.
  public func storage(ofRelationship address: PropertyAddress, in hierarchy: EntityHierarchy) -> RelationshipStorage? {
    guard let declared = hierarchy.allRelationships(of: address.entity)[address.property],
      let table = table(ofEntity: address.entity)
    else { return nil }
    guard declared.property.isToMany else {
      guard let column = column(of: address, role: { .toOne($0) }) else { return nil }
      return .toOne(
        table: table.name, column: column.name, entityColumn: self.column(of: address) { .toOneEntity($0) }?.name,
        orderColumn: self.column(of: address) { .toOneOrder($0) }?.name)
    }
    guard let ends = RelationshipEnds(declared.property, declaredBy: declared.entity.name, in: hierarchy) else {
      return nil
    }
    if ends.isManyToMany { return joinStorage(of: ends) }
    if let inverse = ends.inverse { return .inverseOfToOne(inverse.address) }
    guard let destination = self.table(ofEntity: ends.destination.name),
      let column = destination.column(.toManyOwner(ends.address))
    else { return nil }
    return .owner(
      table: destination.name, column: column.name,
      orderColumn: destination.column(.toManyOwnerOrder(ends.address))?.name)
  }

  private func joinStorage(of ends: RelationshipEnds) -> RelationshipStorage? {
    for table in tables {
      guard case .join(let naming) = table.content else { continue }
      let isNaming = naming == ends.address
      guard isNaming || naming == ends.inverse?.address, let source = table.column(.joinSource(naming)),
        let destination = table.column(.joinDestination(naming))
      else { continue }
      let sourceOrder = table.column(.joinSourceOrder(naming))?.name
      let destinationOrder = table.column(.joinDestinationOrder(naming))?.name
      return .join(
        table: table.name,
        sourceColumn: isNaming ? source.name : destination.name,
        destinationColumn: isNaming ? destination.name : source.name,
        sourceOrder: isNaming ? sourceOrder : destinationOrder,
        destinationOrder: isNaming ? destinationOrder : sourceOrder)
    }
    return nil
  }
}
