import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

extension PlanningContext {
  /// What the mapping loses, each with the question how much of it there is.
  ///
  /// Narrowing is left to the checks, which find the rows whose values change.
  func losses() -> [PlannedLoss] {
    mapping.losses(source: source.hierarchy, destination: destination.hierarchy).compactMap { loss in
      countQuery(for: loss).map { PlannedLoss(loss: loss, countQuery: $0) }
    }
  }

  private func countQuery(for loss: DataLoss) -> SQLStatement? {
    guard case .entityRemoved = loss.kind else {
      guard let (entity, property) = splitElement(loss.element) else { return nil }
      return countQuery(for: loss, entity, property)
    }
    guard let table = source.table(ofEntity: loss.element), let number = source.number(of: loss.element) else {
      return nil
    }
    return "SELECT COUNT(*) FROM \(name: table.name) WHERE \(name: "Z_ENT") = \(.number(number))"
  }

  /// Entity names hold no dot, attribute paths may.
  private func splitElement(_ element: String) -> (entity: String, property: String)? {
    guard let dot = element.firstIndex(of: ".") else { return nil }
    return (String(element[..<dot]), String(element[element.index(after: dot)...]))
  }

  private func countQuery(for loss: DataLoss, _ entity: String, _ property: String) -> SQLStatement? {
    switch loss.kind {
    case .entityRemoved, .narrowing: return nil
    case .attributeRemoved, .attributeBecameRelationship:
      guard let address = source.address(ofAttribute: property, in: entity),
        let place = source.place(.attribute(address))
      else { return nil }
      let numbers = numbers(of: loss, declaredBy: address.entity) ?? source.familyNumbers(of: entity)
      return """
        SELECT COUNT(\(name: place.column.name)) FROM \(name: place.table.name) \
        WHERE \(name: "Z_ENT") IN (\(.list(numbers)))
        """
    case .relationshipRemoved, .relationshipBecameAttribute:
      return links(of: property, in: entity, losing: loss).map { "SELECT COUNT(*) FROM (\($0.query))" }
    case .linksDropped:
      guard let links = links(of: property, in: entity, losing: loss) else { return nil }
      let lost = lostTargets(of: links.address)
      guard !lost.isEmpty, let target = source.relationship(links.address)?.destinationEntityName,
        let table = source.table(ofEntity: target)
      else { return "SELECT COUNT(*) FROM (\(links.query))" }
      let rows: SQLStatement =
        "SELECT \(name: "Z_PK") FROM \(name: table.name) WHERE \(name: "Z_ENT") IN (\(.list(lost)))"
      return "SELECT COUNT(*) FROM (\(links.query)) WHERE \(name: "far") IN (\(rows))"
    case .orderLost:
      return links(of: property, in: entity, losing: loss).map { links in
        """
        SELECT COUNT(*) FROM (SELECT \(name: "near") FROM (\(links.query)) WHERE \(name: "place") IS NOT NULL \
        GROUP BY \(name: "near") HAVING COUNT(*) > 1)
        """
      }
    }
  }

  /// The numbers of the entities whose objects lose a property, nil where all that have it do.
  private func numbers(of loss: DataLoss, declaredBy entity: String) -> [Int]? {
    let family = source.hierarchy.family(of: entity).filter { !$0.isAbstract }.map(\.name)
    guard Set(loss.entities) != Set(family) else { return nil }
    return loss.entities.compactMap(source.number(of:))
  }

  /// The links of a relationship of the objects that lose them.
  private func links(
    of name: String, in entity: String, losing loss: DataLoss
  ) -> (address: PropertyAddress, query: SQLStatement)? {
    guard let address = source.address(ofRelationship: name, in: entity), source.linkStorage(of: address) != nil else {
      return nil
    }
    let links = linkQuery([LinkSource(address: address, isForward: true)], isWhole: true)
    guard let numbers = numbers(of: loss, declaredBy: address.entity), let table = source.table(ofEntity: entity)
    else { return (address, links) }
    let owners: SQLStatement =
      "SELECT \(name: "Z_PK") FROM \(name: table.name) WHERE \(name: "Z_ENT") IN (\(.list(numbers)))"
    return (address, "SELECT * FROM (\(links)) WHERE \(name: "near") IN (\(owners))")
  }
}
