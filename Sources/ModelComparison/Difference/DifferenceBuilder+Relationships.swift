import ModelDescription

extension DifferenceBuilder {
  mutating func addRelationships(of entity: EntityDescription, from sourceEntity: EntityDescription?) {
    addProperties(of: entity, from: sourceEntity) { builder, old, declaration, relationship in
      builder.compare(old, declaredAs: declaration, relationship, of: entity)
    }
  }

  private mutating func compare(
    _ old: RelationshipDescription,
    declaredAs declaration: Declaration,
    _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) {
    let element = ModelElement.property(entity: entity.name, name: relationship.name)
    let oldElement = ModelElement.property(entity: declaration.entity, name: declaration.name)
    if HashedText(old.name) != HashedText(relationship.name) {
      let isStored = !old.isTransient && !relationship.isTransient
      add(
        element,
        from: oldElement,
        .renamed(from: old.name, to: relationship.name),
        isStored ? .inferable(.linksKept) : .unversioned()
      )
    }
    let canKeepLinks = pairing.canKeepLinks(to: old.destinationEntityName, in: relationship.destinationEntityName)
    let hashesInverse =
      source.hashedInverseName(of: old, in: declaration.entity)
      != destination.hashedInverseName(of: relationship, in: entity.name)
    for entry in AspectComparison(old, relationship).entries {
      let meaning = Assessment.changed(
        entry.aspect,
        from: old,
        to: relationship,
        canKeepLinks: canKeepLinks,
        hashesInverse: hashesInverse
      )
      if let follows = followedRename(entry.aspect, from: old, to: relationship) {
        let isHashed = meaning.changesHash
        let effect = Assessment.inferable(.linksKept)
        add(element, from: oldElement, follows, isHashed ? effect : effect.withoutHash)
      } else {
        add(element, from: oldElement, .changed(entry.aspect, from: entry.from, to: entry.to), meaning)
      }
    }
  }

  /// The change reported as a consequence, where the entity or the inverse that is named was itself renamed.
  private func followedRename(
    _ aspect: Aspect,
    from old: RelationshipDescription,
    to relationship: RelationshipDescription
  ) -> Change.Kind? {
    switch aspect {
    case .destination:
      guard let from = old.destinationEntityName, let to = relationship.destinationEntityName,
        pairing.source(ofDestination: to) == from
      else { return nil }
      return .followsRename(aspect, from: from, to: to)
    case .inverseEntity:
      guard let from = old.inverseEntityName, let to = relationship.inverseEntityName,
        pairing.source(ofDestination: to) == from
      else { return nil }
      return .followsRename(aspect, from: from, to: to)
    case .inverse:
      guard let from = old.inverseName, let to = relationship.inverseName,
        let entity = relationship.destinationEntityName,
        let declaring = destination.allRelationships(of: entity)[to]?.entity.name,
        relationships.sources[Declaration(entity: declaring, name: to)]?.name == from
      else { return nil }
      return .followsRename(aspect, from: from, to: to)
    default: return nil
    }
  }
}
