import ModelDescription

/// Finds what a mapping loses of one relationship's links.
struct LinkLossSearch {
  let source: EntityHierarchy
  let destination: EntityHierarchy
  /// The mappings that keep rows, by source entity.
  let mappings: [String: EntityMapping]

  func loss(of relationship: RelationshipDescription, of entity: String, by mapping: EntityMapping) -> PropertyLoss? {
    let linked = relationship.destinationEntityName.map { source.family(of: $0).filter { !$0.isAbstract } } ?? []
    let surviving = linked.compactMap { mappings[$0.name]?.destination }
    if !linked.isEmpty, surviving.isEmpty { return nil }
    let inverse = source.inverse(of: relationship)
    let other = inverse.map { "\($0.entity).\($0.relationship.name)" }
    guard let (name, kept) = mapping.relationships(continuing: relationship.name).first else {
      if let inverse, isKept(inverse.relationship.name, of: inverse.entity) {
        return relationship.isToMany && relationship.isOrdered ? PropertyLoss(kind: .orderLost) : nil
      }
      let destinationName = mapping.destination ?? ""
      if destination.allAttributes(of: destinationName)[relationship.name] != nil {
        return PropertyLoss(kind: .relationshipBecameAttribute, otherElement: other)
      }
      let leadsElsewhere = destination.allRelationships(of: destinationName)[relationship.name] != nil
      return PropertyLoss(kind: leadsElsewhere ? .linksDropped : .relationshipRemoved, otherElement: other)
    }
    guard let last = destination.storedRelationship(name, of: mapping.destination ?? "") else { return nil }
    let target = last.destinationEntityName ?? ""
    if !kept.droppedDestinations.isEmpty || surviving.contains(where: { !destination.isEntity($0, kindOf: target) }) {
      return PropertyLoss(kind: .linksDropped, otherElement: other)
    }
    let losesOrder = relationship.isToMany && relationship.isOrdered && last.isToMany
    return losesOrder && (!last.isOrdered || kept.losesOrder) ? PropertyLoss(kind: .orderLost) : nil
  }

  /// True when every entity that has the relationship and keeps its rows carries it over.
  private func isKept(_ relationship: String, of entity: String) -> Bool {
    let members = source.family(of: entity).compactMap { mappings[$0.name] }
    return !members.isEmpty
      && members.allSatisfy { !$0.relationships(continuing: relationship).isEmpty }
  }
}
