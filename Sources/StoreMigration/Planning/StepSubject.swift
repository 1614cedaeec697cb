import MappingModels
import MigrationSQL
import ModelComparison
import ModelDescription
import PersistentStores

/// The elements of the two models that a step is for.
extension PlanningContext {
  private var hierarchies: [EntityHierarchy] { [source.hierarchy, destination.hierarchy] }

  /// An entity with its properties, in either model.
  func subject(ofEntity name: String) -> Set<ModelElement> {
    hierarchies.compactMap { $0.entity(named: name) }.reduce(into: [.entity(name)]) { subject, entity in
      subject.formUnion(entity.attributes.map { .property(entity: name, name: $0.name) })
      subject.formUnion(entity.relationships.map { .property(entity: name, name: $0.name) })
    }
  }

  /// The entities with rows in a table, with their properties.
  func subject(ofFamily root: String, in hierarchy: EntityHierarchy) -> Set<ModelElement> {
    hierarchy.family(of: root).reduce(into: []) { $0.formUnion(subject(ofEntity: $1.name)) }
  }

  /// The entities that a mapping leads from and to, with their properties.
  func subject(of entity: MappedEntity) -> Set<ModelElement> {
    subject(ofEntity: entity.source).union(subject(ofEntity: entity.destination))
  }

  /// The root entity of a table with its properties, or the relationship whose links it holds.
  func subject(of content: SQLTable.Content?) -> Set<ModelElement> {
    switch content {
    case .hierarchy(let root): subject(ofEntity: root)
    case .join(let address): subject(ofLinks: address)
    case nil: []
    }
  }

  /// A property; the change of an element of a composite attribute is one of the attribute.
  func subject(ofProperty address: PropertyAddress) -> Set<ModelElement> {
    [.property(entity: address.entity, name: PropertyAddress.property(ofPath: address.property))]
  }

  /// A relationship with its entity and its inverse, which have their links in one place.
  func subject(ofLinks address: PropertyAddress) -> Set<ModelElement> {
    let inverses = [source, destination].compactMap { $0.inverse(of: address) }
    return inverses.reduce(into: subject(ofProperty: address).union([.entity(address.entity)])) {
      $0.formUnion(subject(ofProperty: $1))
    }
  }

  /// The property that a column is for.
  func subject(of role: SQLColumn.Role?) -> Set<ModelElement> {
    switch role {
    case .entityNumber: renumberedEntities
    case .primaryKey, .optimisticLock, nil: []
    case .attribute(let address), .toOne(let address), .toOneEntity(let address), .toOneOrder(let address),
      .toManyOwner(let address), .toManyOwnerOrder(let address):
      subject(ofProperty: address)
    case .joinSource(let address), .joinDestination(let address), .joinSourceOrder(let address),
      .joinDestinationOrder(let address):
      subject(ofLinks: address)
    }
  }

  /// The entities that come, go, are renamed or get another parent: the numbers of all entities follow from them.
  var renumberedEntities: Set<ModelElement> {
    let gone = removedEntities.map { ModelElement.entity($0) }
    return destination.hierarchy.model.entities.reduce(into: Set(gone)) { subject, entity in
      let former = mapping(of: entity.name)?.source.flatMap(source.hierarchy.entity(named:))
      // A parent that goes leads to none.
      let parent = former?.superentityName.map { destinationName(of: $0) ?? "" }
      guard former?.name != entity.name || parent != entity.superentityName else { return }
      subject.insert(.entity(entity.name))
    }
  }

  /// The entities above one and itself, with the properties by which persistent history counts.
  func subject(ofLineage name: String) -> Set<ModelElement> {
    hierarchies.flatMap { $0.lineage(of: name) }.reduce(into: []) { $0.formUnion(subject(ofEntity: $1.name)) }
  }

  /// The attributes whose values persistent history keeps of an entity that is deleted, in either model.
  func subject(ofTombstones name: String) -> Set<ModelElement> {
    hierarchies.reduce(into: []) { subject, hierarchy in
      for attribute in hierarchy.attributesKeptAfterDeletion(of: name) {
        guard let declared = hierarchy.allAttributes(of: name)[attribute.name] else { continue }
        subject.insert(.property(entity: declared.entity.name, name: attribute.name))
      }
    }
  }

  /// The element of an index whose name Core Data makes of the entity's name and its own.
  private func subject(ofIndex name: String, in hierarchy: EntityHierarchy) -> Set<ModelElement> {
    let rests = ["Z_RT_", "Z_"].filter(name.hasPrefix).map { name.dropFirst($0.count) }
    // Both names may have underscores of their own.
    let parts = rests.flatMap { rest in
      rest.indices.filter { rest[$0] == "_" }.compactMap { end in
        hierarchy.entity(named: String(rest[..<end])).map { ($0, String(rest[rest.index(after: end)...])) }
      }
    }
    return parts.reduce(into: []) { subject, part in
      let (entity, index) = part
      subject.insert(.fetchIndex(entity: entity.name, name: index))
      let isCompound = entity.compoundIndexes.contains { $0.joined(separator: "_") == index }
      if isCompound || index.hasPrefix("UNIQUE_") { subject.insert(.entity(entity.name)) }
      guard entity.attributes.contains(where: { $0.name == index }) else { return }
      subject.insert(.property(entity: entity.name, name: index))
    }
  }

  /// A step for an index of a model.
  func about(index name: String, in hierarchy: EntityHierarchy, _ step: PlanStep) -> PlanStep {
    let isUnique = name.contains("_UNIQUE_")
    return step.about(
      subject(ofIndex: name, in: hierarchy),
      isUnique ? [.uniquenessConstraints] : [.indexElements, .partialIndexPredicate, .compoundIndexes, .indexed])
  }

  /// A step for an index of the destination; one that every store has is for the columns it is on.
  func about(_ index: SQLIndex, _ step: PlanStep) -> PlanStep {
    let named = about(index: index.name, in: destination.hierarchy, step)
    guard named.subject.isEmpty, let table = destination.layout.tables.first(where: { $0.name == index.table }) else {
      return named
    }
    let names = Set(index.columns.map(\.name))
    return step.about(
      table.columns.filter { names.contains($0.name) }.reduce(into: []) { $0.formUnion(subject(of: $1.role)) })
  }
}
