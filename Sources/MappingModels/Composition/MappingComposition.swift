import ModelDescription

/// Combines two mappings that follow each other into a single mapping.
struct MappingComposition {
  let second: MappingModel
  let source: EntityHierarchy
  let middle: EntityHierarchy
  let destination: EntityHierarchy
  private let firstByDestination: [String: EntityMapping]
  private let firstBySource: [String: EntityMapping]
  private let secondBySource: [String: EntityMapping]
  private let secondByDestination: [String: EntityMapping]

  init(
    first: MappingModel,
    second: MappingModel,
    source: EntityHierarchy,
    middle: EntityHierarchy,
    destination: EntityHierarchy
  ) {
    (self.second, self.source, self.middle, self.destination) = (second, source, middle, destination)
    firstByDestination = Self.index(first, by: \.destination)
    firstBySource = Self.index(first, by: \.source)
    secondBySource = Self.index(second, by: \.source)
    secondByDestination = Self.index(second, by: \.destination)
  }

  private static func index(
    _ model: MappingModel,
    by name: KeyPath<EntityMapping, String?>
  ) -> [String: EntityMapping] {
    var index: [String: EntityMapping] = [:]
    for mapping in model.entityMappings {
      if let name = mapping[keyPath: name], index[name] == nil { index[name] = mapping }
    }
    return index
  }

  func mappingModel() throws(CompositionRefusal) -> MappingModel {
    var mappings: [EntityMapping] = []
    var continued: Set<String> = []
    for later in second.entityMappings {
      guard let name = later.destination else { continue }
      guard let between = later.source, let earlier = firstByDestination[between], let sourceEntity = earlier.source
      else {
        mappings.append(EntityMapping(source: nil, destination: name))
        continue
      }
      continued.insert(sourceEntity)
      mappings.append(try entityMapping(earlier, later, from: sourceEntity, through: between, to: name))
    }
    for entity in source.numberedEntities where !continued.contains(entity.name) {
      mappings.append(EntityMapping(source: entity.name, destination: nil))
    }
    return MappingModel(entityMappings: mappings, isInferred: true)
  }

  private func entityMapping(
    _ earlier: EntityMapping,
    _ later: EntityMapping,
    from sourceEntity: String,
    through between: String,
    to name: String
  ) throws(CompositionRefusal) -> EntityMapping {
    var attributes: [String: AttributeMapping] = [:]
    var links: [String: RelationshipMapping] = [:]
    let stored = destination.storedAttributes(of: name)
    for (path, attribute) in later.inferredAttributes {
      let composed = attribute.following(earlier)
      if case .derived(let derivation) = composed.origin, stored[path]?.derivation != derivation {
        throw .derivedValueKept(entity: name, attribute: path)
      }
      attributes[path] = composed
    }
    let sourceRelationships = source.storedRelationships(of: sourceEntity)
    let betweenRelationships = middle.storedRelationships(of: between)
    let relationships = destination.storedRelationships(of: name)
    for (relationshipName, relationship) in later.inferredRelationships {
      guard let betweenName = relationship.source, let betweenRelationship = betweenRelationships[betweenName],
        let first = earlier.relationship(betweenName), let sourceName = first.source,
        let sourceRelationship = sourceRelationships[sourceName], let last = relationships[relationshipName]
      else {
        if let betweenName = relationship.source,
          let betweenRelationship = betweenRelationships[betweenName], isTurned(betweenRelationship)
        {
          throw .linksOfIntermediateInverse(entity: name, relationship: relationshipName)
        }
        links[relationshipName] = RelationshipMapping(
          source: nil, losesOrder: losesOrder(relationships[relationshipName], relationship))
        continue
      }
      links[relationshipName] = RelationshipComposition(
        first: first,
        second: relationship,
        source: sourceRelationship,
        between: betweenRelationship,
        last: last,
        hasOneOwnerBetween: !source.allowsOneOwner(of: sourceRelationship) && !destination.allowsOneOwner(of: last)
          && (middle.allowsOneOwner(of: betweenRelationship) || first.hasOneOwnerOnTheWay
            || relationship.hasOneOwnerOnTheWay)
      ).mapping(from: sourceName, dropped: dropped(first, relationship, sourceRelationship, betweenRelationship, last))
    }
    return EntityMapping(
      source: sourceEntity, destination: name, attributeMappings: PropertyMappings(attributes: attributes),
      relationshipMappings: PropertyMappings(relationships: links))
  }

  /// True if an intermediate version does not keep the order of an ordered to-many, and the inverse brings its links.
  private func losesOrder(_ last: RelationshipDescription?, _ second: RelationshipMapping) -> Bool {
    guard let last, last.isToMany, last.isOrdered, let inverse = destination.storedInverse(of: last),
      let later = secondByDestination[inverse.entity], let between = later.source,
      let name = later.relationship(inverse.relationship.name)?.source,
      let middle = middle.storedRelationship(name, of: between), let earlier = firstByDestination[between],
      let first = earlier.source, let sourceName = earlier.relationship(name)?.source,
      let source = source.storedRelationship(sourceName, of: first),
      let order = self.source.storedInverse(of: source)?.relationship, order.isToMany, order.isOrdered
    else { return false }
    guard !second.losesOrder, let kept = self.middle.storedInverse(of: middle), kept.relationship.keepsOrder else {
      return true
    }
    return firstByDestination[kept.entity]?.relationship(kept.relationship.name)?.losesOrder ?? false
  }

  /// True if a relationship without a source gets links from its inverse in the intermediate version, and the inverse
  /// does not bring the links further.
  private func isTurned(_ between: RelationshipDescription) -> Bool {
    guard let inverse = middle.storedInverse(of: between) else { return false }
    let name = inverse.relationship.name
    let bringsLinks = middle.family(of: inverse.entity).contains {
      firstByDestination[$0.name]?.relationship(name)?.source != nil
    }
    guard bringsLinks else { return false }
    return !middle.family(of: inverse.entity).contains {
      secondBySource[$0.name]?.relationships(continuing: name).isEmpty == false
    }
  }

  /// The source entities whose links the intermediate version drops, although the destination could hold them.
  private func dropped(
    _ first: RelationshipMapping,
    _ second: RelationshipMapping,
    _ sourceRelationship: RelationshipDescription,
    _ between: RelationshipDescription,
    _ last: RelationshipDescription
  ) -> Set<String> {
    guard let sourceEntity = sourceRelationship.destinationEntityName,
      let betweenEntity = between.destinationEntityName,
      let lastEntity = last.destinationEntityName
    else { return [] }
    var dropped: Set<String> = []
    for linked in source.family(of: sourceEntity) {
      guard let betweenName = firstBySource[linked.name]?.destination,
        let lastName = secondBySource[betweenName]?.destination,
        destination.isEntity(lastName, kindOf: lastEntity)
      else { continue }
      let isKept =
        !first.droppedDestinations.contains(linked.name)
        && middle.isEntity(betweenName, kindOf: betweenEntity)
        && !second.droppedDestinations.contains(betweenName)
      if !isKept { dropped.insert(linked.name) }
    }
    return dropped
  }
}

/// The losses of one relationship's links on a path through an intermediate version.
struct RelationshipComposition {
  let first: RelationshipMapping
  let second: RelationshipMapping
  let source: RelationshipDescription
  let between: RelationshipDescription
  let last: RelationshipDescription
  /// True if an intermediate version allows one owner of an object, and the source and the destination do not.
  let hasOneOwnerBetween: Bool

  /// The flags describe only intermediate versions, because the source and the destination show their own limits.
  func mapping(from name: String, dropped: Set<String>) -> RelationshipMapping {
    let isOrderedAtEnds = source.isToMany && source.isOrdered && last.isToMany && last.isOrdered
    let isToManyAtEnds = source.isToMany && last.isToMany
    return RelationshipMapping(
      source: name,
      losesOrder: isOrderedAtEnds && (!between.keepsOrder || first.losesOrder || second.losesOrder),
      holdsOneOnTheWay: isToManyAtEnds && (!between.isToMany || first.holdsOneOnTheWay || second.holdsOneOnTheWay),
      hasOneOwnerOnTheWay: hasOneOwnerBetween,
      droppedDestinations: dropped
    )
  }
}

extension RelationshipDescription {
  /// True if the relationship keeps an order; a single object always has one.
  var keepsOrder: Bool { !isToMany || isOrdered }
}

extension AttributeMapping {
  /// Returns the mapping with the origin of an earlier step.
  func following(_ earlier: EntityMapping) -> AttributeMapping {
    guard case .source(let path) = origin else { return self }
    guard let first = earlier.attribute(path) else { return AttributeMapping(origin: .constant(nil), steps: steps) }
    return AttributeMapping(origin: first.origin, steps: first.steps + steps)
  }
}
