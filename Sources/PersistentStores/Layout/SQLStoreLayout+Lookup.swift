public import ModelDescription

extension SQLStoreLayout {
  /// The number of an entity.
  public func number(of entity: String) -> Int? { positions.numbers[entity] }

  /// The entity of a number.
  public func entity(number: Int) -> String? { positions.names[number] }

  /// The name of an entity's parent.
  public func superentity(of entity: String) -> String? { positions.superentities[entity] }

  /// The entity itself and its ancestors, nearest first.
  public func lineage(of entity: String) -> [String] {
    let positions = positions
    var lineage: [String] = []
    var next: String? = positions.numbers[entity] == nil ? nil : entity
    while let name = next, lineage.count < entityNumbers.count {
      lineage.append(name)
      next = positions.superentities[name]
    }
    return lineage
  }

  /// The numbers of an entity and of everything below it, ascending.
  public func numbers(ofFamily entity: String) -> [Int] {
    let positions = positions
    var family = positions.numbers[entity] == nil ? [] : [entity]
    var seen = Set(family)
    var next = 0
    while next < family.count {
      family += (positions.children[family[next]] ?? []).filter { seen.insert($0).inserted }
      next += 1
    }
    return family.compactMap { positions.numbers[$0] }.sorted()
  }

  /// The table of this name.
  public func table(named name: String) -> SQLTable? { positions.tables[name].map { tables[$0] } }

  /// The table for the rows of an entity.
  public func table(ofEntity entity: String) -> SQLTable? {
    lineage(of: entity).last.flatMap { positions.roots[$0] }.map { tables[$0] }
  }

  /// The column of an attribute, or of an element of a composite attribute, that an entity declares or inherits.
  public func column(ofAttribute address: PropertyAddress) -> SQLColumn? { column(of: address) { .attribute($0) } }

  /// The column of a role in an entity's table, including columns of inherited properties.
  private func column(of address: PropertyAddress, role: (PropertyAddress) -> SQLColumn.Role) -> SQLColumn? {
    let positions = positions
    for ancestor in lineage(of: address.entity) {
      if let column = positions.columns[role(PropertyAddress(entity: ancestor, property: address.property))] {
        return column
      }
    }
    return nil
  }

  /// The storage of a relationship.
  ///
  /// A relationship that a subentity declares again is stored with its parent's.
  ///
  /// - Parameter address: the relationship, with the entity that declares or inherits it.
  /// - Returns: nil if the relationship is not stored or does not exist.
  public func storage(ofRelationship address: PropertyAddress, in hierarchy: EntityHierarchy) -> RelationshipStorage? {
    guard let table = table(ofEntity: address.entity) else { return nil }
    for entity in hierarchy.lineage(of: address.entity) {
      let declared = entity.relationships.first { $0.name == address.property }
      if let declared, let storage = storage(of: declared, declaredBy: entity.name, in: table, hierarchy) {
        return storage
      }
    }
    return nil
  }

  private func storage(
    of relationship: RelationshipDescription, declaredBy entity: String, in table: SQLTable,
    _ hierarchy: EntityHierarchy
  ) -> RelationshipStorage? {
    guard relationship.isToMany else {
      let address = PropertyAddress(entity: entity, property: relationship.name)
      guard let column = column(of: address, role: { .toOne($0) }) else { return nil }
      return .toOne(
        table: table.name, column: column.name, entityColumn: self.column(of: address) { .toOneEntity($0) }?.name,
        orderColumn: self.column(of: address) { .toOneOrder($0) }?.name)
    }
    guard let ends = RelationshipEnds(relationship, declaredBy: entity, in: hierarchy) else { return nil }
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
    let positions = positions
    let namings = [ends.address] + (ends.inverse.map { [$0.address] } ?? [])
    let joins = namings.compactMap { naming in positions.joins[naming].map { (naming, $0) } }.sorted { $0.1 < $1.1 }
    for (naming, position) in joins {
      let table = tables[position]
      let isNaming = naming == ends.address
      guard let source = table.column(.joinSource(naming)), let destination = table.column(.joinDestination(naming))
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

/// The storage of a relationship, seen from its own side.
public enum RelationshipStorage: Hashable, Sendable {
  /// In the rows of the entity that has it.
  ///
  /// `entityColumn` exists if the destination has subentities, `orderColumn` if the inverse is ordered.
  case toOne(table: String, column: String, entityColumn: String?, orderColumn: String?)
  /// In the to-one relationship that is its inverse; the order, if any, is in the order column of the to-one.
  case inverseOfToOne(PropertyAddress)
  /// In a column of the destination's table, because it is a to-many without inverse.
  case owner(table: String, column: String, orderColumn: String?)
  /// In a join table.
  ///
  /// `sourceColumn` refers to the row that has the relationship, `destinationColumn` to the row it points to.
  /// `destinationOrder` orders the destinations of a single source, `sourceOrder` the sources of a single destination.
  case join(
    table: String, sourceColumn: String, destinationColumn: String, sourceOrder: String?, destinationOrder: String?)
}
