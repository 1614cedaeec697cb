import ModelDescription

/// Finds the losses of an inferred mapping: the source data that it does not carry over.
///
/// The losses of a custom mapping depend on its expressions, and `MappedLosses` of StoreMigration finds them.
struct LossSearch {
  let source: EntityHierarchy
  let destination: EntityHierarchy
  private let mappings: [String: EntityMapping]

  init(_ mapping: MappingModel, source: EntityHierarchy, destination: EntityHierarchy) {
    (self.source, self.destination) = (source, destination)
    var mappings: [String: EntityMapping] = [:]
    for entity in mapping.entityMappings where entity.destination != nil {
      if let name = entity.source { mappings[name] = entity }
    }
    self.mappings = mappings
  }

  func losses() -> [DataLoss] {
    var losses: [DataLoss] = []
    var members: [PropertyKey: [(entity: String, loss: PropertyLoss?)]] = [:]
    for entity in source.numberedEntities where !entity.isAbstract {
      guard let mapping = mappings[entity.name] else {
        losses.append(DataLoss(element: entity.name, kind: .entityRemoved))
        continue
      }
      for (key, loss) in propertyLosses(of: entity.name, by: mapping) {
        members[key, default: []].append((entity.name, loss))
      }
    }
    let order = Dictionary(
      source.numberedEntities.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
    let keys = members.keys.sorted {
      (order[$0.entity] ?? 0, $0.isRelationship ? 1 : 0, $0.name)
        < (order[$1.entity] ?? 0, $1.isRelationship ? 1 : 0, $1.name)
    }
    var named: Set<String> = []
    for key in keys {
      for loss in merged(members[key] ?? [], of: key) {
        if let other = loss.otherElement, named.contains("\(other)/\(loss.element)") { continue }
        if let other = loss.otherElement { named.insert("\(loss.element)/\(other)") }
        losses.append(loss)
      }
    }
    return losses
  }

  /// Returns one loss at the declaring entity if all its rows share it, or one loss for each entity.
  private func merged(_ members: [(entity: String, loss: PropertyLoss?)], of key: PropertyKey) -> [DataLoss] {
    let lost = members.compactMap { member in member.loss.map { (entity: member.entity, loss: $0) } }
    if lost.count == members.count, let first = lost.first, lost.allSatisfy({ $0.loss == first.loss }) {
      return [first.loss.dataLoss(at: "\(key.entity).\(key.name)", of: lost.map(\.entity))]
    }
    return lost.map { $0.loss.dataLoss(at: "\($0.entity).\(key.name)", of: [$0.entity]) }
  }

  private func propertyLosses(of entity: String, by mapping: EntityMapping) -> [PropertyKey: PropertyLoss?] {
    var losses: [PropertyKey: PropertyLoss?] = [:]
    let name = mapping.destination ?? ""
    var kept: [String: AttributeMapping] = [:]
    for (_, attribute) in mapping.inferredAttributes {
      if case .source(let path) = attribute.origin { kept[path] = attribute }
    }
    let newRelationships = destination.allRelationships(of: name)
    for (path, attribute) in source.storedAttributes(of: entity) where attribute.derivation == nil {
      let key = PropertyKey(entity: attribute.entity, name: path, isRelationship: false)
      if let mapping = kept[path] {
        let isExact = mapping.conversions.allSatisfy(\.isExact)
        losses[key] = .some(isExact ? nil : PropertyLoss(kind: .narrowing(mapping.conversions)))
      } else {
        let became = newRelationships[path] != nil
        losses[key] = PropertyLoss(kind: became ? .attributeBecameRelationship : .attributeRemoved)
      }
    }
    let search = LinkLossSearch(source: source, destination: destination, mappings: mappings)
    for (relationshipName, declared) in source.allRelationships(of: entity) where !declared.property.isTransient {
      let key = PropertyKey(entity: declared.entity.name, name: relationshipName, isRelationship: true)
      losses[key] = .some(search.loss(of: declared.property, of: entity, by: mapping))
    }
    return losses
  }
}

/// A property at the entity that declares it.
struct PropertyKey: Hashable {
  let entity: String
  let name: String
  let isRelationship: Bool
}

/// Finds the losses of one relationship's links.
struct LinkLossSearch {
  let source: EntityHierarchy
  let destination: EntityHierarchy
  /// The mappings that keep rows, by source entity.
  let mappings: [String: EntityMapping]

  func loss(of relationship: RelationshipDescription, of entity: String, by mapping: EntityMapping) -> PropertyLoss? {
    let linked = relationship.destinationEntityName.map { source.family(of: $0).filter { !$0.isAbstract } } ?? []
    let surviving = linked.compactMap { mappings[$0.name]?.destination }
    if !linked.isEmpty, surviving.isEmpty { return nil }
    let inverse = source.storedInverse(of: relationship)
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

  /// True if every entity that has the relationship and keeps its rows carries the relationship over.
  private func isKept(_ relationship: String, of entity: String) -> Bool {
    let members = source.family(of: entity).compactMap { mappings[$0.name] }
    return !members.isEmpty
      && members.allSatisfy { !$0.relationships(continuing: relationship).isEmpty }
  }
}

/// The loss of a single property, before the search decides at which entity to report it.
struct PropertyLoss: Hashable {
  var kind: DataLoss.Kind
  var otherElement: String?

  init(kind: DataLoss.Kind, otherElement: String? = nil) { (self.kind, self.otherElement) = (kind, otherElement) }

  func dataLoss(at element: String, of entities: [String]) -> DataLoss {
    DataLoss(element: element, otherElement: otherElement, entities: entities, kind: kind)
  }
}
