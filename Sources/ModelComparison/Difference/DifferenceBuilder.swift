public import ModelDescription

extension ModelDifference {
  /// Compares two models whose hierarchies are known.
  public init(from source: EntityHierarchy, to destination: EntityHierarchy) {
    self.init(EntityPairing(from: source, to: destination))
  }

  /// Compares two models whose entities are paired.
  package init(_ pairing: EntityPairing) {
    let (source, destination) = (pairing.source, pairing.destination)
    var builder = DifferenceBuilder(pairing)
    builder.build()
    entitiesWithoutHash = source.model.entities.map(\.name).filter { destination.entity(named: $0) == nil }.sorted()
    changes = builder.changes.map { change in
      // Other changes of its entity may cancel it in the hash, such as two attributes that swap their names. A removed
      // entity may have the name and hash of a different entity in the destination.
      guard change.changesHash, let name = change.element.entityName else { return change }
      let isGone = change.kind == .removed
      let entity = isGone ? pairing.destination(ofSource: name) ?? destination.entity(named: name)?.name : name
      guard let entity, !builder.hashes.changed.contains(entity) else { return change }
      return Change(
        element: change.element, sourceElement: change.sourceElement, kind: change.kind, changesHash: false)
    }
    hints = HintSearch(pairing: pairing, changes: builder.changes, changedEntities: builder.hashes.changed).hints()
    entitiesWithNewHash = builder.hashes.changed.sorted()
  }
}

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
      guard let sourceEntity = pairing.source(ofDestination: entity.name).flatMap(source.entity(named:)) else {
        add(.entity(entity.name), from: nil, .added)
        addProperties(of: entity, from: nil)
        continue
      }
      let start = changes.count
      compare(sourceEntity, entity)
      addProperties(of: entity, from: sourceEntity)
      addFollowedAncestor(of: entity, since: start)
    }
    for entity in source.numberedEntities where pairing.destination(ofSource: entity.name) == nil {
      add(.entity(entity.name), from: .entity(entity.name), .removed)
    }
    compareModels()
  }

  mutating func add(
    _ element: ModelElement, from sourceElement: ModelElement?, _ kind: Change.Kind, changesHash: Bool = true
  ) {
    changes.append(Change(element: element, sourceElement: sourceElement, kind: kind, changesHash: changesHash))
  }

  private mutating func compare(_ sourceEntity: EntityDescription, _ entity: EntityDescription) {
    let (sourceElement, element) = (ModelElement.entity(sourceEntity.name), ModelElement.entity(entity.name))
    if HashedText(sourceEntity.name) != HashedText(entity.name) {
      add(element, from: sourceElement, .renamed(from: sourceEntity.name, to: entity.name))
    }
    for entry in AspectComparison(sourceEntity, entity).entries {
      if entry.aspect == .superentity, let old = sourceEntity.superentityName, let new = entity.superentityName,
        pairing.source(ofDestination: new) == old
      {
        add(element, from: sourceElement, .followsRename(.superentity, from: old, to: new))
        continue
      }
      if entry.aspect == .uniquenessConstraints,
        followed(sourceEntity.uniquenessConstraints, in: entity) == entity.uniquenessConstraints
      {
        add(
          element, from: sourceElement,
          .followsRename(.uniquenessConstraints, from: "\(entry.from)", to: "\(entry.to)"))
        continue
      }
      add(
        element, from: sourceElement, .changed(entry.aspect, from: entry.from, to: entry.to),
        changesHash: entity.changesHash(entry.aspect, from: sourceEntity))
    }
    compareFetchIndexes(sourceEntity, entity)
  }

  /// The constraints of a source entity with the current names of its properties.
  private func followed(_ constraints: [[String]], in entity: EntityDescription) -> [[String]] {
    let names = pairing.attributes(ofDestination: entity.name).destinationNames
      .merging(pairing.relationships(ofDestination: entity.name).destinationNames) { first, _ in first }
    return constraints.map { $0.map { names[$0] ?? $0 } }
  }

  private mutating func addProperties(of entity: EntityDescription, from sourceEntity: EntityDescription?) {
    let start = changes.count
    addAttributes(of: entity, from: sourceEntity)
    addRelationships(of: entity, from: sourceEntity)
    if let sourceEntity { compareFetchedProperties(sourceEntity, entity) }
    let sorted = changes[start...].enumerated().sorted {
      ($0.element.element.propertyName, $0.offset) < ($1.element.element.propertyName, $1.offset)
    }
    changes.replaceSubrange(start..., with: sorted.map(\.element))
  }

  /// Adds an entity whose hash changes only because the hash of an ancestor does; its own changes begin at `start`.
  private mutating func addFollowedAncestor(of entity: EntityDescription, since start: Int) {
    guard hashes.changed.contains(entity.name), let parent = entity.superentityName else { return }
    if changes[start...].contains(where: { $0.changesHash && $0.element.entityName == entity.name }) { return }
    add(
      .entity(entity.name),
      from: pairing.source(ofDestination: entity.name).map { .entity($0) }, .followsAncestor(parent))
  }
}

extension ModelElement {
  package var entityName: String? {
    switch self {
    case .entity(let name): name
    case .property(let entity, _), .fetchIndex(let entity, _), .compoundIndex(let entity, _),
      .uniquenessConstraint(let entity, _):
      entity
    case .model, .composite, .configuration, .fetchRequest: nil
    }
  }

  /// The name of a property; empty for other elements.
  fileprivate var propertyName: String { if case .property(_, let name) = self { name } else { "" } }
}

/// The entities with different version hashes, from the hashed settings, without computing the hashes.
struct HashComparison {
  private let sources: [String: HashedEntity]
  private let destinations: [String: HashedEntity]
  /// The destination entities whose hash differs from the source entity of the same name.
  let changed: Set<String>

  init(from source: EntityHierarchy, to destination: EntityHierarchy) {
    sources = Self.entities(of: source)
    destinations = Self.entities(of: destination)
    var changed: Set<String> = []
    for entity in destination.numberedEntities {
      let isSame = sources[entity.name] == destinations[entity.name]
      if !isSame || entity.superentityName.map(changed.contains) == true { changed.insert(entity.name) }
    }
    self.changed = changed
  }

  /// True if the entity itself differs, without the hash of its parent.
  func differs(_ source: String, from name: String) -> Bool {
    sources[source]?.properties != destinations[name]?.properties
  }

  private static func entities(of hierarchy: EntityHierarchy) -> [String: HashedEntity] {
    Dictionary(
      hierarchy.model.entities.map { ($0.name, HashedEntity($0, in: hierarchy)) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
