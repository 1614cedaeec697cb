import ModelDescription

/// Collects the changes between two versions in a stable order.
struct DifferenceBuilder {
  let pairing: EntityPairing
  let hashes: HashComparison
  let attributes: DeclarationPairing
  let relationships: DeclarationPairing
  var changes: [Change] = []

  var source: EntityHierarchy { pairing.source }
  var destination: EntityHierarchy { pairing.destination }

  init(_ pairing: EntityPairing) {
    self.pairing = pairing
    hashes = HashComparison(from: pairing.source, to: pairing.destination)
    attributes = .attributes(pairing)
    relationships = .relationships(pairing)
  }

  mutating func build() {
    for entity in destination.numberedEntities {
      guard let former = pairing.source(ofDestination: entity.name).flatMap(source.entity(named:)) else {
        add(.entity(entity.name), from: nil, .added, .inferable("its table starts empty"))
        addProperties(of: entity, from: nil)
        continue
      }
      let start = changes.count
      compare(former, entity)
      addProperties(of: entity, from: former)
      addFollowedAncestor(of: entity, since: start)
    }
    for entity in source.numberedEntities where pairing.destination(ofSource: entity.name) == nil {
      add(.entity(entity.name), from: .entity(entity.name), .removed, .removed(entity))
    }
    compareModels()
  }

  mutating func add(_ element: ModelElement, from former: ModelElement?, _ kind: Change.Kind, _ meaning: Assessment) {
    changes.append(
      Change(
        element: element,
        formerElement: former,
        kind: kind,
        changesHash: meaning.changesHash,
        inferability: meaning.inferability,
        dataEffect: meaning.dataEffect
      )
    )
  }

  private mutating func compare(_ former: EntityDescription, _ entity: EntityDescription) {
    let (formerElement, element) = (ModelElement.entity(former.name), ModelElement.entity(entity.name))
    if HashedText(former.name) != HashedText(entity.name) {
      add(element, from: formerElement, .renamed(from: former.name, to: entity.name), .inferable("the rows are kept"))
    }
    for entry in AspectComparison(former, entity).entries {
      if entry.aspect == .superentity, let old = former.superentityName, let new = entity.superentityName,
        pairing.source(ofDestination: new) == old
      {
        add(
          element,
          from: formerElement,
          .followsRename(.superentity, from: old, to: new),
          .inferable("no effect on the data")
        )
        continue
      }
      let constraints = followed(former.uniquenessConstraints, in: entity)
      if entry.aspect == .uniquenessConstraints, constraints == entity.uniquenessConstraints {
        add(
          element,
          from: formerElement,
          .followsRename(.uniquenessConstraints, from: "\(entry.from)", to: "\(entry.to)"),
          .inferable("no effect on existing rows")
        )
        continue
      }
      let roots =
        entry.aspect == .superentity ? pairing.formerRoots(under: destination.rootName(of: entity.name)) : []
      add(
        element,
        from: formerElement,
        .changed(entry.aspect, from: entry.from, to: entry.to),
        .changed(entry.aspect, from: former, to: entity, formerRoots: roots, formerConstraints: constraints)
      )
    }
    compareFetchIndexes(former, entity)
  }

  /// Constraints of a former entity with the names that its properties have now.
  private func followed(_ constraints: [[String]], in entity: EntityDescription) -> [[String]] {
    let names = pairing.attributes(ofDestination: entity.name).destinationNames
      .merging(pairing.relationships(ofDestination: entity.name).destinationNames) { first, _ in first }
    return constraints.map { $0.map { names[$0] ?? $0 } }
  }

  private mutating func addProperties(of entity: EntityDescription, from former: EntityDescription?) {
    let start = changes.count
    addAttributes(of: entity, from: former)
    addRelationships(of: entity, from: former)
    if let former { compareFetchedProperties(former, entity) }
    let sorted = changes[start...].enumerated().sorted {
      ($0.element.element.propertyName, $0.offset) < ($1.element.element.propertyName, $1.offset)
    }
    changes.replaceSubrange(start..., with: sorted.map(\.element))
  }

  /// Tells of an entity whose hash changes only because an ancestor's did; its own changes begin at `start`.
  private mutating func addFollowedAncestor(of entity: EntityDescription, since start: Int) {
    guard hashes.changed.contains(entity.name), let parent = entity.superentityName else { return }
    if changes[start...].contains(where: { $0.changesHash && $0.element.entityName == entity.name }) { return }
    add(
      .entity(entity.name),
      from: pairing.source(ofDestination: entity.name).map { .entity($0) },
      .followsAncestor(parent),
      .inferable("no effect on the data beyond the ancestor's")
    )
  }
}

extension ModelElement {
  /// The entity that the element is or belongs to.
  package var entityName: String? {
    switch self {
    case .entity(let name): name
    case .property(let entity, _), .fetchIndex(let entity, _), .compoundIndex(let entity, _),
      .uniquenessConstraint(let entity, _):
      entity
    case .model, .composite, .configuration, .fetchRequest: nil
    }
  }

  /// The property's name, empty for what is no property.
  fileprivate var propertyName: String {
    if case .property(_, let name) = self { name } else { "" }
  }
}
