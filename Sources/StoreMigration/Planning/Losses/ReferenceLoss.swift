import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

extension PlanningContext {
  /// The source numbers of the rows that a relationship points at and that its destination will not lead to.
  ///
  /// - Parameter address: a source relationship.
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
  /// removed or have left its hierarchy; empty when none carries them.
  func lostOwners(of address: PropertyAddress) -> [Int] {
    let family = source.hierarchy.family(of: address.entity).map(\.name)
    let lost = family.filter { !continues(address, in: $0) }
    return lost.count < family.count ? lost.compactMap(source.number(of:)) : []
  }

  private func continues(_ address: PropertyAddress, in entity: String) -> Bool {
    guard let name = destinationName(of: entity), let mapping = mapping(of: name) else { return false }
    return !mapping.relationships(continuing: address.property).isEmpty
  }

  /// What takes the links of a source relationship over: the destination's own relationship, or the inverse that had
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
