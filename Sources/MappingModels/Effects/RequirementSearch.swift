public import ModelDescription

/// Finds what the rows must meet, by what is new in the destination relative to the source.
struct RequirementSearch {
  let mapping: MappingModel
  let source: EntityHierarchy
  let destination: EntityHierarchy
  /// The source entities whose rows go.
  let removed: Set<String>
  let destinationNames: [String: String]
  let mappingsByDestination: [String: EntityMapping]

  init(_ mapping: MappingModel, source: EntityHierarchy, destination: EntityHierarchy) {
    (self.mapping, self.source, self.destination) = (mapping, source, destination)
    var names: [String: String] = [:]
    var mappings: [String: EntityMapping] = [:]
    for entity in mapping.entityMappings {
      if let from = entity.source, let to = entity.destination { names[from] = to }
      if let to = entity.destination { mappings[to] = entity }
    }
    destinationNames = names
    mappingsByDestination = mappings
    removed = Set(source.model.entities.map(\.name).filter { names[$0] == nil })
  }

  func requirements() -> [MappingRequirement] {
    var found: [MappingRequirement] = []
    var seen: Set<MappingRequirement> = []
    func add(_ requirements: [MappingRequirement]) {
      for requirement in requirements where seen.insert(requirement).inserted { found.append(requirement) }
    }
    for entity in mapping.entityMappings {
      guard let name = entity.destination, let sourceName = entity.source else { continue }
      let isSourceAbstract = source.entity(named: sourceName)?.isAbstract ?? false
      let isAbstract = destination.entity(named: name)?.isAbstract ?? false
      if isSourceAbstract { continue }
      if isAbstract { add([.noRowsOfAbstract(entity: name)]) }
      add(attributeRequirements(of: entity, named: name, from: sourceName))
      add(relationshipRequirements(of: entity, named: name, from: sourceName))
    }
    for entity in destination.numberedEntities { add(uniquenessRequirements(of: entity)) }
    return found
  }

  private func attributeRequirements(
    of entity: EntityMapping,
    named name: String,
    from sourceName: String
  ) -> [MappingRequirement] {
    let attributes = destination.storedAttributes(of: name)
    let sourceAttributes = source.storedAttributes(of: sourceName)
    var requirements: [MappingRequirement] = []
    for (path, attribute) in entity.inferredAttributes {
      guard let description = attributes[path] else { continue }
      if description.derivation == nil, !description.isOptional, attribute.canBeEmpty(from: sourceAttributes) {
        requirements.append(.mandatoryAttribute(entity: name, attribute: path))
      }
      let conversions = attribute.conversions
      if conversions.contains(where: { !$0.isExact }) {
        requirements.append(.fits(entity: name, attribute: path, conversions: conversions))
      }
    }
    return requirements
  }
}

extension AttributeMapping {
  /// The changes of type on the way, first thing first.
  package var conversions: [TypeConversion] {
    steps.compactMap { step in
      if case .convert(let from, let to) = step { TypeConversion(from: from, to: to) } else { nil }
    }
  }

  /// True when a row may come out without a value.
  fileprivate func canBeEmpty(from attributes: [String: StoredAttribute]) -> Bool {
    let isReplaced = steps.contains { step in if case .replaceNil = step { true } else { false } }
    if isReplaced { return false }
    if conversions.contains(where: \.leavesEmpty) { return true }
    switch origin {
    case .source(let path): return attributes[path]?.isOptional ?? true
    case .constant(let value): return value == nil
    case .derived: return true
    }
  }
}

extension TypeConversion {
  /// True when a value that has no equal in the new type becomes none.
  fileprivate var leavesEmpty: Bool {
    switch (from, to) {
    case (.string, .date), (.string, .uuid), (.binary, .uuid): true
    default: false
    }
  }
}

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

extension RequirementSearch {
  /// The constraints of an entity that its rows, or those of its sub-entities, did not already meet.
  func uniquenessRequirements(of entity: EntityDescription) -> [MappingRequirement] {
    entity.uniquenessConstraints.compactMap { constraint in
      guard !constraint.isEmpty else { return nil }
      let members = destination.family(of: entity.name).compactMap { mappingsByDestination[$0.name] }
        .filter { $0.source != nil }
      guard !members.isEmpty, !isMet(constraint, of: entity.name, by: members) else { return nil }
      return .unique(entity: entity.name, properties: constraint)
    }
  }

  private func isMet(_ constraint: [String], of entity: String, by members: [EntityMapping]) -> Bool {
    guard let sourceName = mappingsByDestination[entity]?.source,
      let sourceConstraints = source.entity(named: sourceName)?.uniquenessConstraints
    else { return false }
    for member in members {
      guard let memberSource = member.source, source.isEntity(memberSource, kindOf: sourceName) else { return false }
      var sourceNames: Set<String> = []
      for property in constraint {
        guard let name = member.unchangedSource(of: property) else { return false }
        sourceNames.insert(name)
      }
      guard sourceConstraints.contains(where: { Set($0) == sourceNames }) else { return false }
    }
    return true
  }
}

extension EntityMapping {
  /// The source property whose values a property keeps exactly, nil when there is none.
  fileprivate func unchangedSource(of property: String) -> String? {
    if let relationship = relationship(property) { return relationship.source }
    guard let attribute = attribute(property), attribute.steps.isEmpty, case .source(let path) = attribute.origin
    else { return nil }
    return path
  }
}

extension MappingModel {
  /// What the rows must meet before this mapping may run, only for what is new in the destination.
  ///
  /// Core Data finds these while it migrates in place; here they are known before a store is read.
  ///
  /// - Returns: the requirements in the order of the entity mappings, then those of uniqueness.
  public func requirements(source: EntityHierarchy, destination: EntityHierarchy) -> [MappingRequirement] {
    RequirementSearch(self, source: source, destination: destination).requirements()
  }

  /// What this mapping loses of the rows, each for the caller to consent to by name.
  ///
  /// - Returns: the losses in the order of the source's entity numbers, properties by name.
  public func losses(source: EntityHierarchy, destination: EntityHierarchy) -> [DataLoss] {
    LossSearch(self, source: source, destination: destination).losses()
  }
}
