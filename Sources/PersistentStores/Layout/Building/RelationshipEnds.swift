import ModelDescription

/// A stored relationship with what stands at its other end.
struct RelationshipEnds {
  /// The relationship by its declaring entity.
  let address: PropertyAddress
  /// The relationship itself.
  let relationship: RelationshipDescription
  /// The entity it points at.
  let destination: EntityDescription
  /// The inverse, by its own declaring entity.
  let inverse: (address: PropertyAddress, relationship: RelationshipDescription)?

  /// True for a to-many whose inverse is a to-many too.
  var isManyToMany: Bool { relationship.isToMany && inverse?.relationship.isToMany == true }

  /// True for a relationship that is its own inverse.
  var isReflexive: Bool { inverse?.address == address }

  /// True for a many-to-many pair of two relationships that one entity declares.
  var isSelfJoin: Bool { isManyToMany && !isReflexive && inverse?.address.entity == address.entity }

  /// The same pair seen from the inverse, of a self-join.
  var turned: RelationshipEnds {
    guard let inverse else { return self }
    return RelationshipEnds(
      address: inverse.address, relationship: inverse.relationship, destination: destination,
      inverse: (address, relationship))
  }

  private init(
    address: PropertyAddress, relationship: RelationshipDescription, destination: EntityDescription,
    inverse: (address: PropertyAddress, relationship: RelationshipDescription)?
  ) {
    self.address = address
    self.relationship = relationship
    self.destination = destination
    self.inverse = inverse
  }

  /// Resolves a relationship of an entity.
  ///
  /// - Returns: nil for a transient relationship and for one whose destination is not in the model.
  init?(_ relationship: RelationshipDescription, declaredBy entity: String, in hierarchy: EntityHierarchy) {
    guard !relationship.isTransient, let name = relationship.destinationEntityName,
      let destination = hierarchy.entity(named: name)
    else { return nil }
    self.address = PropertyAddress(entity: entity, property: relationship.name)
    self.relationship = relationship
    self.destination = destination
    self.inverse = relationship.inverseName.flatMap { inverseName in
      for candidate in hierarchy.lineage(of: destination.name) {
        if let inverse = candidate.relationships.first(where: { $0.name == inverseName }), !inverse.isTransient {
          return (PropertyAddress(entity: candidate.name, property: inverse.name), inverse)
        }
      }
      return nil
    }
  }
}

extension EntityHierarchy {
  /// The stored relationships that an entity declares itself, sorted by name; those that repeat an inherited one are
  /// left out.
  func relationshipEnds(of entity: EntityDescription) -> [RelationshipEnds] {
    let inherited = Set(
      lineage(of: entity.name).dropFirst().flatMap { $0.relationships.filter { !$0.isTransient }.map(\.name) })
    return entity.relationships.filter { !inherited.contains($0.name) }
      .sorted { $0.name.precedesByBytes($1.name) }
      .compactMap { RelationshipEnds($0, declaredBy: entity.name, in: self) }
  }

  /// The stored attributes that an entity declares itself, sorted by name; those that repeat an inherited one are left
  /// out.
  func storedAttributes(of entity: EntityDescription) -> [AttributeDescription] {
    let inherited = Set(
      lineage(of: entity.name).dropFirst().flatMap { $0.attributes.filter { !$0.isTransient }.map(\.name) })
    return entity.attributes.filter { !$0.isTransient && !inherited.contains($0.name) }
      .sorted { $0.name.precedesByBytes($1.name) }
  }
}
