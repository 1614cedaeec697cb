import MappingModels
public import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

/// Finds the changes of the model that the steps of a plan are for: a pure function of two models.
public struct StepChanges: Sendable {
  private let source: EntityHierarchy
  private let destination: EntityHierarchy
  private let layout: SQLStoreLayout
  private let changes: [Change]
  /// The places of the changes by the element that they are about, in either model.
  private let places: [ModelElement: [Int]]
  /// What gives entities other numbers.
  private let entitiesThatComeOrGo: [Subject]

  /// Compares the models that a stage leads from and to.
  public init(of stage: MigrationStage) {
    source = stage.source.hierarchy
    destination = stage.destination.hierarchy
    layout = stage.layout
    changes = stage.step.changes
    var places: [ModelElement: [Int]] = [:]
    for (place, change) in changes.enumerated() {
      for element in Set([change.element, change.sourceElement ?? change.element]) {
        places[element, default: []].append(place)
      }
    }
    self.places = places
    entitiesThatComeOrGo = changes.compactMap { change in
      guard case .entity = change.element else { return nil }
      return switch change.kind {
      case .added, .removed, .renamed, .changed(.superentity, _, _): Subject(element: change.element)
      default: nil
      }
    }
  }

  /// The changes that a step is for, in the order of the difference; none for what every migration does, and for what
  /// the store alone asks for.
  public func changes(behind cause: PlanCause) -> [Change] {
    var found: Set<Int> = []
    for subject in subjects(of: cause) {
      for place in places[subject.element] ?? [] where subject.isAbout(changes[place].kind) { found.insert(place) }
      // What belongs to an entity that comes or goes is no change of its own.
      guard let entity = subject.element.entityName else { continue }
      for place in places[.entity(entity)] ?? [] where changes[place].kind.isComingOrGoing { found.insert(place) }
    }
    return found.sorted().map { changes[$0] }
  }

  /// An element, and the changes of it that matter.
  private struct Subject {
    let element: ModelElement
    /// The settings that matter, nil for all that a store shows.
    var aspects: Set<Aspect>?

    func isAbout(_ kind: Change.Kind) -> Bool {
      switch kind {
      case .changed(let aspect, _, _), .followsRename(let aspect, _, _):
        aspects?.contains(aspect) ?? Self.stored.contains(aspect)
      case .followsAncestor: false
      default: true
      }
    }

    /// The settings that decide about tables, columns and what is in them.
    private static let stored: Set<Aspect> = [
      .type, .optional, .transient, .externalStorage, .derivation, .derivationFilter, .composite, .elements,
      .destination, .inverse, .inverseEntity, .toMany, .ordered, .superentity, .abstract,
    ]
  }

  private func subjects(of cause: PlanCause) -> [Subject] {
    switch cause {
    case .entityAdded(let name), .entityRemoved(let name): [entity(name)]
    case .rowsOfEntitiesRemoved(let names): names.map { entity($0) }
    case .rowsCopied(let root): family(of: root, in: destination)
    case .copiedTableGoes(let root): root.map { family(of: $0, in: source) } ?? []
    case .tableRenamed(let content): content.map { subjects(of: $0) } ?? []
    case .tableMade(let content), .tableReadFrom(let content), .tableHasBeenRead(let content),
      .joinTableMade(let content):
      subjects(of: content)
    case .joinTableGoes(let address), .linksMoved(let address),
      .linksMirrored(let address), .linksOrdered(let address), .linksToRemovedRowsEmptied(let address),
      .linksToRemovedRowsRemoved(let address), .linksGathered(let address), .linksWritten(let address),
      .linksSuperseded(let address), .linkCandidates(let address), .linkPlaces(let address),
      .linksKeptInOrder(let address), .linksOrderedAtOtherEnd(let address):
      links(of: address)
    case .columnRenamed(let role): role.map { subjects(of: $0) } ?? []
    case .columnAdded(let role), .columnRemoved(let role), .columnNameReturns(let role),
      .referencesToNothing(let role):
      subjects(of: role)
    case .columnRetyped(let roles): roles.flatMap { subjects(of: $0) }
    case .values(let values): values.flatMap { value in subjects(of: value.role, aspects: value.reason.aspects) }
    case .derivedValues(let address): [property(address)]
    case .indexMade(let index, let root): subjects(of: index, root: root)
    case .indexNotInModel(let name): indexSubjects(named: name, in: source)
    case .indexReplaced(let name): indexSubjects(named: name, in: destination)
    case .spatialIndexMade(let index): indexSubjects(named: index.name, in: destination, prefix: "Z_RT_")
    case .duplicatesRemoved(let name, _): [Subject(element: .entity(name), aspects: [.uniquenessConstraints])]
    case .entitiesRenumbered, .historyRenumbered, .cloudKitRenumbered, .historyOfRemovedEntities, .entityNumbers:
      entitiesThatComeOrGo
    case .historyColumns(let entities): entities.flatMap { lineage(of: $0) }
    case .historyTombstones(let entities), .tombstoneColumnAdded(let entities):
      entities.flatMap { attributesKeptAfterDeletion(of: $0) }
    case .mapped(let step), .filteredKeys(let step), .freeKeys(let step):
      family(named: step.source) + family(named: step.destination)
    case .columnOfNameAdded(let column), .columnOfNameRemoved(let column): subjects(of: column.role)
    case .columnTakesPlace(let old, let column): subjects(of: old.role) + subjects(of: column.role)
    case .tableGivesWay, .readersFollowNames, .columnOfAppKept, .strayRowsNumbered, .indexOfSameNameReplaced,
      .indexOfAppGoes, .indexNameNeeded, .indexOfAppMade, .madeAnew, .triggerMade, .triggerOfAppMade,
      .unreadableViewDropped, .unreadableViewMade, .keysContinue, .hashesRecorded, .cachedModelStale,
      .objectsCarriedOver, .policy:
      []
    }
  }

  private func entity(_ name: String) -> Subject { Subject(element: .entity(name)) }

  private func property(_ address: PropertyAddress, aspects: Set<Aspect>? = nil) -> Subject {
    // The change of a composite attribute's element is listed at the attribute.
    let name = PropertyAddress.property(ofPath: address.property)
    return Subject(element: .property(entity: address.entity, name: name), aspects: aspects)
  }

  /// A relationship and its inverse, which have their links in one place.
  private func links(of address: PropertyAddress) -> [Subject] {
    let inverses = [source, destination].compactMap { hierarchy -> PropertyAddress? in
      guard let relationship = hierarchy.allRelationships(of: address.entity)[address.property]?.property,
        let other = relationship.destinationEntityName, let name = relationship.inverseName,
        let declaring = hierarchy.allRelationships(of: other)[name]?.entity.name
      else { return nil }
      return PropertyAddress(entity: declaring, property: name)
    }
    return [property(address), entity(address.entity)] + inverses.map { property($0) }
  }

  private func subjects(of content: SQLTable.Content) -> [Subject] {
    switch content {
    case .hierarchy(let root): family(named: root)
    case .join(let address): links(of: address)
    }
  }

  private func subjects(of role: SQLColumn.Role, aspects: Set<Aspect>? = nil) -> [Subject] {
    switch role {
    case .entityNumber: entitiesThatComeOrGo
    case .primaryKey, .optimisticLock: []
    case .attribute(let address), .toOne(let address), .toOneEntity(let address), .toOneOrder(let address),
      .toManyOwner(let address), .toManyOwnerOrder(let address):
      [property(address, aspects: aspects)]
    case .joinSource(let address), .joinDestination(let address), .joinSourceOrder(let address),
      .joinDestinationOrder(let address):
      links(of: address)
    }
  }

  /// An entity and those above it, each with its properties.
  private func lineage(of name: String) -> [Subject] {
    let names = Set([source, destination].flatMap { $0.lineage(of: name) }.map(\.name))
    return names.flatMap { family(named: $0) }
  }

  /// The attributes whose values persistent history keeps of an entity, in either model.
  private func attributesKeptAfterDeletion(of name: String) -> [Subject] {
    [source, destination].flatMap { hierarchy in
      hierarchy.attributesKeptAfterDeletion(of: name).compactMap { hierarchy.allAttributes(of: name)[$0.name] }.map {
        property(
          PropertyAddress(entity: $0.entity.name, property: $0.property.name), aspects: [.type, .preservedInHistory])
      }
    }
  }

  private func family(named name: String) -> [Subject] {
    let entities = [source, destination].compactMap { $0.entity(named: name) }
    return [entity(name)]
      + entities.flatMap { entity in
        (entity.attributes.map(\.name) + entity.relationships.map(\.name)).map { property in
          Subject(element: .property(entity: name, name: property))
        }
      }
  }

  private func family(of root: String, in hierarchy: EntityHierarchy) -> [Subject] {
    hierarchy.family(of: root).flatMap { family(named: $0.name) }
  }

  /// An index by its name, which Core Data makes of the entity's and its own; else by the columns it is on.
  private func subjects(of index: SQLIndex, root: String?) -> [Subject] {
    if index.isUnique, let root {
      return destination.family(of: root).filter { index.name.hasPrefix("Z_\($0.name)_UNIQUE_") }
        .map { Subject(element: .entity($0.name), aspects: [.uniquenessConstraints]) }
    }
    let named = indexSubjects(named: index.name, in: destination)
    guard named.isEmpty, let table = layout.tables.first(where: { $0.name == index.table }) else { return named }
    let names = Set(index.columns.map(\.name))
    return table.columns.filter { names.contains($0.name) }.flatMap { subjects(of: $0.role) }
  }

  private func indexSubjects(named name: String, in hierarchy: EntityHierarchy, prefix: String = "Z_") -> [Subject] {
    guard name.hasPrefix(prefix) else { return [] }
    let rest = name.dropFirst(prefix.count)
    // Both names may have underscores of their own.
    let entities = rest.indices.filter { rest[$0] == "_" }.compactMap { hierarchy.entity(named: String(rest[..<$0])) }
    return entities.flatMap { entity -> [Subject] in
      let index = String(rest.dropFirst(entity.name.count + 1))
      let isCompound = entity.compoundIndexes.contains { $0.joined(separator: "_") == index }
      return [Subject(element: .fetchIndex(entity: entity.name, name: index), aspects: Self.ofIndex)]
        + (isCompound ? [Subject(element: .entity(entity.name), aspects: [.compoundIndexes])] : [])
        + entity.attributes.filter { $0.name == index }.map {
          Subject(element: .property(entity: entity.name, name: $0.name), aspects: [.indexed])
        }
    }
  }

  private static let ofIndex: Set<Aspect> = [.indexElements, .partialIndexPredicate]
}

extension Change.Kind {
  fileprivate var isComingOrGoing: Bool { self == .added || self == .removed }
}

extension PlanCause.ColumnValue.Reason {
  /// The settings whose change makes a step write values.
  fileprivate var aspects: Set<Aspect> {
    switch self {
    case .newDefault: []
    case .defaultForEmptyValues: [.optional]
    case .typeChanged: [.type, .elements]
    case .externalStorageSwitched: [.externalStorage]
    case .entitiesRenumbered: []
    case .destinationHasSubentities: [.destination]
    case .changed: [.type, .optional, .externalStorage, .elements]
    }
  }
}
