import ModelDescription

extension RequirementSearch {
  func relationshipRequirements(
    of entity: EntityMapping,
    named name: String,
    from sourceName: String
  ) -> [MappingRequirement] {
    let relationships = destination.storedRelationships(of: name)
    let sourceRelationships = source.storedRelationships(of: sourceName)
    var requirements: [MappingRequirement] = []
    for (relationshipName, mapping) in entity.inferredRelationships {
      guard let relationship = relationships[relationshipName] else { continue }
      let sourceRelationship = mapping.source.flatMap { sourceRelationships[$0] }
      if relationship.isMandatory, canBeEmpty(mapping, relationship, from: sourceRelationship) {
        requirements.append(.mandatoryRelationship(entity: name, relationship: relationshipName))
      }
      guard let sourceRelationship else { continue }
      if sourceRelationship.isToMany, !relationship.isToMany || mapping.holdsOneOnTheWay {
        requirements.append(.atMostOne(entity: name, relationship: relationshipName))
      }
      let needsOneOwner = relationship.inverseName == nil && destination.allowsOneOwner(of: relationship)
      let hadOneOwner = mapping.hasOneOwnerOnTheWay && !isSaid(byInverseOf: relationship)
      if hadOneOwner || needsOneOwner, !source.allowsOneOwner(of: sourceRelationship) {
        requirements.append(.oneOwner(entity: name, relationship: relationshipName))
      }
      if let narrowed = narrowedInverse(of: relationship, from: sourceRelationship) { requirements.append(narrowed) }
    }
    return requirements
  }

  /// True when the inverse's own mapping says that it held one object on the way, which is the same.
  private func isSaid(byInverseOf relationship: RelationshipDescription) -> Bool {
    guard let inverse = destination.inverse(of: relationship) else { return false }
    return destination.family(of: inverse.entity).contains {
      mappingsByDestination[$0.name]?.relationship(inverse.relationship.name)?.holdsOneOnTheWay ?? false
    }
  }

  /// The inverse end, where it is to-one now and was not the to-one end of the same links before.
  private func narrowedInverse(
    of relationship: RelationshipDescription,
    from sourceRelationship: RelationshipDescription
  ) -> MappingRequirement? {
    guard let inverse = destination.inverse(of: relationship), !inverse.relationship.isToMany else { return nil }
    if let sourceInverse = source.inverse(of: sourceRelationship), !sourceInverse.relationship.isToMany { return nil }
    return .atMostOne(entity: inverse.entity, relationship: inverse.relationship.name)
  }

  private func canBeEmpty(
    _ mapping: RelationshipMapping,
    _ relationship: RelationshipDescription,
    from sourceRelationship: RelationshipDescription?
  ) -> Bool {
    guard let sourceRelationship, sourceRelationship.isMandatory, mapping.droppedDestinations.isEmpty else {
      return true
    }
    guard let linked = sourceRelationship.destinationEntityName, let target = relationship.destinationEntityName else {
      return true
    }
    return source.family(of: linked).contains { member in
      guard !member.isAbstract else { return false }
      guard let name = destinationNames[member.name] else { return true }
      return !destination.isEntity(name, kindOf: target)
    }
  }
}

extension RelationshipDescription {
  /// True when every object must have exactly one object at the other end.
  fileprivate var isMandatory: Bool { !isToMany && !isOptional }
}

extension EntityHierarchy {
  /// True when a store holds for every object only one that is linked with it through the relationship: its inverse is
  /// to-one, or it is a to-many without inverse, which the rows of its objects hold.
  func allowsOneOwner(of relationship: RelationshipDescription) -> Bool {
    inverse(of: relationship).map { !$0.relationship.isToMany } ?? relationship.isToMany
  }

  /// The other end of a relationship and the entity at which it is looked up, nil when there is none.
  func inverse(of relationship: RelationshipDescription) -> (entity: String, relationship: RelationshipDescription)? {
    guard let name = relationship.inverseName, let entity = relationship.destinationEntityName,
      let inverse = storedRelationship(name, of: entity)
    else { return nil }
    return (entity, inverse)
  }
}
