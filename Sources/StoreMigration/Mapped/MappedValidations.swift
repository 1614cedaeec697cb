import ModelDescription
import PersistentStores

/// What Core Data validates when it saves the objects that a mapping model made: mandatory values, counts, uniqueness.
///
/// The rows of every obstacle are named by the key they have in the destination.
struct MappedValidations {
  private(set) var checks: [PlanCheck] = []
  private let context: MappedContext
  private let destination: StoreModel

  init(_ context: MappedContext) {
    self.context = context
    destination = context.destination
    let made = Set(context.entities.map(\.destination))
    for entity in destination.hierarchy.numberedEntities {
      if made.contains(entity.name) {
        if entity.isAbstract { checkAbsence(of: entity.name) }
        checkAttributes(of: entity.name)
        checkRelationships(of: entity.name)
      }
      let family = destination.hierarchy.family(of: entity.name).map(\.name)
      guard family.contains(where: made.contains) else { continue }
      for constraint in entity.uniquenessConstraints { checkUniqueness(constraint, of: entity.name) }
    }
  }

  private mutating func add(
    _ element: ModelElement, _ code: Int, _ reason: String, _ explanation: String, remedy: String? = nil,
    _ query: SQLStatement
  ) {
    checks.append(
      PlanCheck(
        obstacle: PlanCheck.Obstacle(
          element: element, code: code, reason: reason, explanation: explanation, remedy: remedy), query: query))
  }

  /// The rows of exactly an entity that meet a condition.
  private func rows(of entity: String, where condition: SQLStatement) -> SQLStatement? {
    guard let table = destination.table(ofEntity: entity), let number = destination.number(of: entity) else { return nil }
    return """
      SELECT row.\(name: "Z_PK") FROM \(name: table.name) AS row WHERE row.\(name: "Z_ENT") = \(.number(number)) \
      AND (\(condition)) ORDER BY row.\(name: "Z_PK")
      """
  }

  private mutating func checkAbsence(of entity: String) {
    guard let query = rows(of: entity, where: "1") else { return }
    add(
      .entity(entity), 134110, "Cannot migrate store: objects of an entity that is abstract in the destination",
      "an entity mapping makes objects of \(entity), which is abstract; have it make those of a sub-entity", query)
  }

  private mutating func checkAttributes(of entity: String) {
    let attributes = destination.hierarchy.allAttributes(of: entity).sorted { $0.key < $1.key }
    for (name, declared) in attributes {
      guard !declared.property.isOptional, !declared.property.isTransient, declared.property.derivation == nil else {
        continue
      }
      for leaf in declared.property.leaves where !leaf.attribute.isOptional {
        let path = leaf.path.joined(separator: ".")
        guard let place = destination.place(.attribute(PropertyAddress(entity: declared.entity.name, property: path))),
          let query = rows(of: entity, where: "row.\(name: place.column.name) IS NULL")
        else { continue }
        add(
          .property(entity: entity, name: path), 1570, "Validation error missing attribute values on mandatory destination attribute",
          "\(entity).\(name) is required; give the mapping an expression whose value is never nil, or a filter",
          query)
      }
    }
  }

  private mutating func checkRelationships(of entity: String) {
    let relationships = destination.hierarchy.allRelationships(of: entity).sorted { $0.key < $1.key }
    for (name, declared) in relationships where !declared.property.isTransient {
      let address = PropertyAddress(entity: declared.entity.name, property: name)
      let relationship = declared.property
      let element = ModelElement.property(entity: entity, name: name)
      guard let count = count(of: address) else { continue }
      let minimum = relationship.isOptional ? relationship.minCount : max(1, relationship.minCount)
      if minimum > 0, relationship.isToMany || !relationship.isOptional {
        let isTooFew: SQLStatement = "\(count) < \(.number(minimum))"
        let condition = relationship.isOptional ? "\(count) > 0 AND \(isTooFew)" : isTooFew
        let code = relationship.isToMany && relationship.minCount > 0 ? 1580 : 1570
        if let query = rows(of: entity, where: condition) {
          add(
            element, code,
            code == 1580
              ? "Validation error: too few objects in a destination relationship"
              : "Validation error missing attribute values on mandatory destination relationship",
            "\(entity).\(name) needs \(minimum) \(minimum == 1 ? "object" : "objects")", query)
        }
      }
      if relationship.isToMany, relationship.maxCount > 1,
        let query = rows(of: entity, where: "\(count) > \(.number(relationship.maxCount))")
      {
        add(
          element, 1590, "Validation error: too many objects in a destination relationship",
          "\(entity).\(name) may hold \(relationship.maxCount) objects", query)
      }
    }
  }

  /// The number of objects at the other end of a relationship of `row`.
  private func count(of address: PropertyAddress) -> SQLStatement? {
    switch destination.linkStorage(of: address) {
    case .column(_, let column): "(row.\(name: column) IS NOT NULL)"
    case .foreignColumn(let table, let column, _):
      "(SELECT COUNT(*) FROM \(name: table) AS other WHERE other.\(name: column) = row.\(name: "Z_PK"))"
    case .join(let table, let near, _, _, _):
      "(SELECT COUNT(*) FROM \(name: table) AS link WHERE link.\(name: near) = row.\(name: "Z_PK"))"
    case nil: nil
    }
  }

  private mutating func checkUniqueness(_ properties: [String], of entity: String) {
    let columns = properties.compactMap { property -> String? in
      let attribute = destination.address(ofAttribute: property, in: entity).flatMap { destination.place(.attribute($0)) }
      let link = destination.address(ofRelationship: property, in: entity).flatMap { destination.place(.toOne($0)) }
      return (attribute ?? link)?.column.name
    }
    guard !columns.isEmpty, columns.count == properties.count, let table = destination.table(ofEntity: entity) else {
      return
    }
    let names = columns.map { "\(name: $0)" as SQLStatement }
    let present = names.map { "\($0) IS NOT NULL" as SQLStatement }.joined(" AND ")
    add(
      .entity(entity), 134111, "Constraint violation during attempted migration",
      """
      \(entity) is unique by \(properties.joined(separator: ", ")), so no two objects may have the same values; give the \
      mapping a filter that takes one of them
      """,
      """
      SELECT \(name: "Z_PK") FROM (SELECT \(name: "Z_PK"), COUNT(*) OVER (PARTITION BY \(names.joined())) AS copies \
      FROM \(name: table.name) WHERE \(present)) WHERE copies > 1 ORDER BY \(name: "Z_PK")
      """)
  }
}
