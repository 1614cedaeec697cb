public import ModelDescription

/// Finds the requirements of a mapping from the changes between the source and the destination.
struct RequirementSearch {
  let mapping: MappingModel
  let source: EntityHierarchy
  let destination: EntityHierarchy
  /// The source entities whose rows are removed.
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
  /// The type conversions on the path, in order.
  package var conversions: [TypeConversion] {
    steps.compactMap { step in
      if case .convert(let from, let to) = step { TypeConversion(from: from, to: to) } else { nil }
    }
  }

  /// True if a row can lack a value after the migration.
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
  /// True if a value that the new type cannot hold becomes nil.
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

  /// True if the inverse's own mapping already has the equal condition: it held one object in an intermediate version.
  private func isSaid(byInverseOf relationship: RelationshipDescription) -> Bool {
    guard let inverse = destination.storedInverse(of: relationship) else { return false }
    return destination.family(of: inverse.entity).contains {
      mappingsByDestination[$0.name]?.relationship(inverse.relationship.name)?.holdsOneOnTheWay ?? false
    }
  }

  /// The inverse relationship, if it is to-one now and was not the to-one side of the same links before.
  private func narrowedInverse(
    of relationship: RelationshipDescription,
    from sourceRelationship: RelationshipDescription
  ) -> MappingRequirement? {
    guard let inverse = destination.storedInverse(of: relationship), !inverse.relationship.isToMany else { return nil }
    if let earlier = source.storedInverse(of: sourceRelationship), !earlier.relationship.isToMany { return nil }
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
  /// True if every object must have exactly one linked object.
  fileprivate var isMandatory: Bool { !isToMany && !isOptional }
}

extension EntityHierarchy {
  /// True if the store can keep only one owner of each linked object.
  ///
  /// The inverse is to-one, or the relationship is to-many without inverse and the rows of its objects store it.
  func allowsOneOwner(of relationship: RelationshipDescription) -> Bool {
    storedInverse(of: relationship).map { !$0.relationship.isToMany } ?? relationship.isToMany
  }

  /// The stored inverse of a relationship and the entity that has it; nil if there is none.
  func storedInverse(
    of relationship: RelationshipDescription
  ) -> (entity: String, relationship: RelationshipDescription)? {
    guard let name = relationship.inverseName, let entity = relationship.destinationEntityName,
      let inverse = storedRelationship(name, of: entity)
    else { return nil }
    return (entity, inverse)
  }
}

extension RequirementSearch {
  /// The constraints of an entity that its rows, or the rows of its sub-entities, did not already meet.
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
  /// The source property whose values the property keeps exactly; nil if there is no such property.
  fileprivate func unchangedSource(of property: String) -> String? {
    if let relationship = relationship(property) { return relationship.source }
    guard let attribute = attribute(property), attribute.steps.isEmpty, case .source(let path) = attribute.origin
    else { return nil }
    return path
  }
}

extension MappingModel {
  /// Returns the requirements that the rows must meet before the mapping runs.
  ///
  /// Core Data finds them during an in-place migration. Here they are known before a store is read. Only changes in the
  /// destination make requirements.
  ///
  /// - Returns: the requirements in the order of the entity mappings, then the requirements of uniqueness.
  public func requirements(source: EntityHierarchy, destination: EntityHierarchy) -> [MappingRequirement] {
    RequirementSearch(self, source: source, destination: destination).requirements()
  }

  /// Returns the losses of the mapping, each of which the caller allows by name.
  ///
  /// - Returns: the losses in the order of the source's entity numbers, with properties by name.
  public func losses(source: EntityHierarchy, destination: EntityHierarchy) -> [DataLoss] {
    LossSearch(self, source: source, destination: destination).losses()
  }
}
