package import ModelDescription

extension EntityHierarchy {
  /// The attributes whose values a deletion leaves in persistent history, in the order of their columns.
  package func attributesKeptAfterDeletion(of entity: String) -> [AttributeDescription] {
    allAttributes(of: entity).values.map(\.property)
      .filter { $0.preservesValueInHistoryOnDeletion && !$0.isTransient }
      .sorted { $0.name.precedesByBytes($1.name) }
  }

  /// The to-many relationships without inverse, by the entity that they lead to.
  func toManyRelationshipsWithoutInverse() -> [String: [PropertyAddress]] {
    var lists: [String: [PropertyAddress]] = [:]
    for owner in model.entities {
      for relationship in owner.relationships where relationship.isToMany && !relationship.isTransient {
        guard let destination = relationship.destinationEntityName else { continue }
        let inverse = relationship.inverseName.flatMap { allRelationships(of: destination)[$0] }
        guard inverse?.property.isTransient ?? true else { continue }
        lists[destination, default: []].append(PropertyAddress(entity: owner.name, property: relationship.name))
      }
    }
    return lists
  }
}
