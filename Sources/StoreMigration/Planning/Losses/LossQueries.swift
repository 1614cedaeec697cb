import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

extension PlanningContext {
  /// The losses of the mapping, each with the query that counts it.
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

  /// The numbers of the entities whose objects lose a property, nil if all that have it do.
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

  /// The source numbers of the rows that a relationship points at and that its destination will not lead to.
  ///
  /// - Returns: the numbers of removed entities and of those that the destination relationship cannot hold; empty when
  ///   nothing in the destination takes the links over.
  func lostTargets(of address: PropertyAddress) -> [Int] {
    let consumers = linkConsumers(of: address)
    guard let linked = source.relationship(address)?.destinationEntityName, !consumers.isEmpty else { return [] }
    return source.hierarchy.family(of: linked).filter { target in
      guard let name = destinationName(of: target.name) else { return true }
      return !consumers.contains { consumer in
        !consumer.dropped.contains(target.name)
          && (consumer.destination.map { destination.hierarchy.isEntity(name, kindOf: $0) } ?? false)
      }
    }.compactMap { source.number(of: $0.name) }
  }

  /// The source numbers of the entities that had a relationship and carry its links no further, because they are
  /// removed or have left its hierarchy; empty if none carries them.
  func lostOwners(of address: PropertyAddress) -> [Int] {
    let family = source.hierarchy.family(of: address.entity).map(\.name)
    let lost = family.filter { !continues(address, in: $0) }
    return lost.count < family.count ? lost.compactMap(source.number(of:)) : []
  }

  private func continues(_ address: PropertyAddress, in entity: String) -> Bool {
    guard let name = destinationName(of: entity), let mapping = mapping(of: name) else { return false }
    return !mapping.relationships(continuing: address.property).isEmpty
  }

  /// The relationships that take the links of a source relationship: the destination's own relationship, or the inverse that had
  /// no inverse before.
  private func linkConsumers(of address: PropertyAddress) -> [(destination: String?, dropped: Set<String>)] {
    var consumers: [(destination: String?, dropped: Set<String>)] = []
    for entity in source.hierarchy.family(of: address.entity) {
      guard source.address(ofRelationship: address.property, in: entity.name) == address,
        let name = destinationName(of: entity.name), let mapping = mapping(of: name)
      else { continue }
      for (relationshipName, relationship) in mapping.relationships(continuing: address.property) {
        let declared = destination.hierarchy.allRelationships(of: name)[relationshipName]
        consumers.append((declared?.property.destinationEntityName, relationship.droppedDestinations))
      }
    }
    if consumers.isEmpty, let inverse = source.inverse(of: address), inverse != address,
      let target = source.relationship(address)?.destinationEntityName,
      source.hierarchy.family(of: target).contains(where: { takesOver(inverse, of: $0.name) })
    {
      let owner = destinationName(of: address.entity)
      consumers.append((destinationName(of: target), owner == nil ? [target] : []))
    }
    return consumers
  }

  private func takesOver(_ address: PropertyAddress, of entity: String) -> Bool {
    destinationName(of: entity).flatMap(mapping(of:))?.relationships(continuing: address.property).isEmpty == false
  }
}
