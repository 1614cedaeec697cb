import ModelDescription

extension DifferenceBuilder {
  private typealias Declaration = DeclarationPairing.Declaration

  mutating func addAttributes(of entity: EntityDescription, from former: EntityDescription?) {
    for attribute in entity.attributes {
      let element = ModelElement.property(entity: entity.name, name: attribute.name)
      guard let declaration = attributes.former[Declaration(entity: entity.name, name: attribute.name)],
        let old = source.allAttributes(of: declaration.entity)[declaration.name]?.property
      else {
        if former != nil, formerRelationship(becoming: attribute.name, of: former) == nil {
          add(element, from: nil, .added, .added(attribute))
        }
        continue
      }
      let oldElement = ModelElement.property(entity: declaration.entity, name: declaration.name)
      let isMoved = pairing.destination(ofSource: declaration.entity) != entity.name
      if isMoved {
        add(element, from: oldElement, .moved(from: declaration.entity, to: entity.name), .moved(attribute))
      }
      if HashedText(old.name) != HashedText(attribute.name) {
        let differs = hashes.differs(declaration.entity, from: entity.name)
        add(
          element,
          from: oldElement,
          .renamed(from: old.name, to: attribute.name),
          .renamed(old, to: attribute, hashDiffers: differs)
        )
      }
      for entry in AspectComparison(old, attribute).entries {
        add(
          element,
          from: oldElement,
          .changed(entry.aspect, from: entry.from, to: entry.to),
          isMoved && attribute.isTransient
            ? .unversioned() : .changed(entry.aspect, from: old, to: attribute)
        )
      }
    }
    let names = pairing.attributes(ofDestination: entity.name).destinationNames
    for attribute in former?.attributes ?? [] {
      guard let former else { continue }
      let declaration = Declaration(entity: former.name, name: attribute.name)
      if attributes.continued.contains(declaration) {
        let here = names[attribute.name].flatMap { destination.allAttributes(of: entity.name)[$0] }
        let leaves = here.map { $0.entity.name != entity.name && $0.property.isTransient } ?? true
        guard leaves, !attribute.isTransient,
          let target = attributes.first[declaration]
        else { continue }
        add(
          .property(entity: entity.name, name: attribute.name),
          from: .property(entity: former.name, name: attribute.name),
          .moved(from: former.name, to: target.entity),
          .moved(attribute)
        )
        continue
      }
      let element = ModelElement.property(entity: former.name, name: attribute.name)
      let successor = destination.allRelationships(of: entity.name)[attribute.name]
      if let successor, relationships.former[Declaration(entity: successor.entity.name, name: attribute.name)] == nil {
        let isStored = !attribute.isTransient || !successor.property.isTransient
        let meaning = Assessment.inferable("the attribute's values are lost, and the relationship starts without links")
        add(
          .property(entity: entity.name, name: attribute.name),
          from: element,
          .attributeBecameRelationship,
          isStored ? meaning.combined(with: .added(successor.property)) : .unversioned()
        )
      } else {
        add(element, from: element, .removed, .removed(attribute))
      }
    }
  }

  mutating func addRelationships(of entity: EntityDescription, from former: EntityDescription?) {
    for relationship in entity.relationships {
      let element = ModelElement.property(entity: entity.name, name: relationship.name)
      guard let declaration = relationships.former[Declaration(entity: entity.name, name: relationship.name)],
        let old = source.allRelationships(of: declaration.entity)[declaration.name]?.property
      else {
        if former != nil, formerAttribute(becoming: relationship.name, of: former) == nil {
          add(element, from: nil, .added, .added(relationship))
        }
        continue
      }
      let oldElement = ModelElement.property(entity: declaration.entity, name: declaration.name)
      if pairing.destination(ofSource: declaration.entity) != entity.name {
        add(element, from: oldElement, .moved(from: declaration.entity, to: entity.name), .moved(relationship))
      }
      if HashedText(old.name) != HashedText(relationship.name) {
        let isStored = !old.isTransient && !relationship.isTransient
        add(
          element,
          from: oldElement,
          .renamed(from: old.name, to: relationship.name),
          isStored ? .inferable("the links are kept") : .unversioned()
        )
      }
      compare(old, at: declaration.entity, relationship, at: entity.name)
    }
    let names = pairing.relationships(ofDestination: entity.name).destinationNames
    for relationship in former?.relationships ?? [] {
      guard let former else { continue }
      let declaration = Declaration(entity: former.name, name: relationship.name)
      if relationships.continued.contains(declaration) {
        let here = names[relationship.name].flatMap { destination.allRelationships(of: entity.name)[$0] }
        let leaves = here.map { $0.entity.name != entity.name && $0.property.isTransient } ?? true
        guard leaves, !relationship.isTransient,
          let target = relationships.first[declaration]
        else { continue }
        add(
          .property(entity: entity.name, name: relationship.name),
          from: .property(entity: former.name, name: relationship.name),
          .moved(from: former.name, to: target.entity),
          .moved(relationship)
        )
        continue
      }
      let element = ModelElement.property(entity: former.name, name: relationship.name)
      let successor = destination.allAttributes(of: entity.name)[relationship.name]
      if let successor, attributes.former[Declaration(entity: successor.entity.name, name: relationship.name)] == nil {
        let isStored = !relationship.isTransient || !successor.property.isTransient
        let meaning = Assessment.inferable("the links are lost, and the attribute starts without the old values")
        add(
          .property(entity: entity.name, name: relationship.name),
          from: element,
          .relationshipBecameAttribute,
          isStored ? meaning.combined(with: .added(successor.property)) : .unversioned()
        )
      } else {
        add(element, from: element, .removed, .removed(relationship))
      }
    }
  }

  private mutating func compare(
    _ old: RelationshipDescription,
    at formerEntity: String,
    _ relationship: RelationshipDescription,
    at entity: String
  ) {
    let element = ModelElement.property(entity: entity, name: relationship.name)
    let oldElement = ModelElement.property(entity: formerEntity, name: old.name)
    let canKeepLinks = pairing.canKeepLinks(to: old.destinationEntityName, in: relationship.destinationEntityName)
    let hashesInverse =
      source.hashedInverseName(of: old, in: formerEntity) != destination.hashedInverseName(of: relationship, in: entity)
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
        let effect = Assessment.inferable("the links are kept")
        add(element, from: oldElement, follows, isHashed ? effect : effect.withoutHash)
      } else {
        add(element, from: oldElement, .changed(entry.aspect, from: entry.from, to: entry.to), meaning)
      }
    }
  }

  /// The change told as a consequence, where the entity or the inverse that is named was itself renamed.
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
        relationships.former[Declaration(entity: declaring, name: to)]?.name == from
      else { return nil }
      return .followsRename(aspect, from: from, to: to)
    default: return nil
    }
  }

  private func formerAttribute(becoming name: String, of former: EntityDescription?) -> AttributeDescription? {
    former?.attributes.first {
      $0.name == name && !attributes.continued.contains(Declaration(entity: former?.name ?? "", name: name))
    }
  }

  private func formerRelationship(becoming name: String, of former: EntityDescription?) -> RelationshipDescription? {
    former?.relationships.first {
      $0.name == name && !relationships.continued.contains(Declaration(entity: former?.name ?? "", name: name))
    }
  }
}

extension Assessment {
  /// The same effect where the coming half may depend on the rows.
  fileprivate func combined(with added: Assessment) -> Assessment {
    if case .dependsOnRows(let condition) = added.inferability { return .dependsOnRows(condition, dataEffect) }
    return self
  }
}
