import ModelComparison
import ModelDescription

/// Finds the effect of a change of an inferred step on the rows, if it has no loss and no requirement.
struct ChangeEffects {
  let step: ModelStep
  private let difference: ModelDifference
  private let entitiesWithNewHash: Set<String>

  init(_ step: ModelStep) {
    self.step = step
    difference = step.difference
    entitiesWithNewHash = Set(difference.entitiesWithNewHash)
  }

  func effect(of change: Change) -> DataEffect {
    switch change.element {
    case .model, .fetchRequest: return .none
    case .composite: return .atAttributesOfComposite
    case .configuration: return .otherStore
    case .fetchIndex, .compoundIndex, .uniquenessConstraint: return indexes(of: change)
    case .entity: return ofEntity(change)
    case .property: break
    }
    let old = change.sourceElement.flatMap { Property($0, in: step.source) }
    let new = change.kind == .removed ? nil : Property(change.element, in: step.destination)
    let effect = ofProperty(change, old, new)
    let isStored = [old, new].compactMap { $0 }.allSatisfy { !$0.isTransient }
    guard isStored, change.kind.movesValues else { return effect }
    if difference.isSameVersion { return .columnKeepsItsName }
    guard case .renamed = change.kind, !change.changesHash, let entity = change.element.entityName,
      step.pairing.isCopied(entity)
    else { return effect }
    return .columnIsCopied
  }

  private enum Property {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)

    init?(_ element: ModelElement, in hierarchy: EntityHierarchy) {
      guard case .property(let entity, let name) = element else { return nil }
      if let attribute = hierarchy.allAttributes(of: entity)[name]?.property {
        self = .attribute(attribute)
      } else if let relationship = hierarchy.allRelationships(of: entity)[name]?.property {
        self = .relationship(relationship)
      } else {
        return nil
      }
    }

    var isTransient: Bool {
      switch self {
      case .attribute(let attribute): attribute.isTransient
      case .relationship(let relationship): relationship.isTransient
      }
    }
  }

  private func indexes(of change: Change) -> DataEffect {
    change.element.entityName.map(entitiesWithNewHash.contains) == true ? .indexesFollow : .indexesStay
  }

  private func ofEntity(_ change: Change) -> DataEffect {
    guard case .entity(let name) = change.element else { return .none }
    switch change.kind {
    case .added: return .tableStartsEmpty
    case .removed: return step.source.entity(named: name)?.isAbstract == true ? .abstractEntityHasNoRows : .rowsKept
    case .renamed: return .rowsKept
    case .followsAncestor: return .noneBeyondAncestor
    case .followsRename(.uniquenessConstraints, _, _): return .noneOnExistingRows
    case .changed(.superentity, _, _): return .rowsMayChangeTable
    case .changed(.abstract, _, _): return .noneOnExistingRows
    case .changed(.uniquenessConstraints, _, _): return change.changesHash ? .noneOnExistingRows : .none
    case .changed(.compoundIndexes, _, _): return indexes(of: change)
    default: return .none
    }
  }

  private func ofProperty(_ change: Change, _ old: Property?, _ new: Property?) -> DataEffect {
    switch change.kind {
    case .added, .attributeBecameRelationship, .relationshipBecameAttribute:
      return new.map { old != nil && $0.isTransient ? DataEffect.none : added($0) } ?? DataEffect.none
    case .removed: return old.map { removed($0, change) } ?? DataEffect.none
    case .renamed, .moved:
      guard let property = new ?? old, !property.isTransient, old?.isTransient != true else { return .none }
      return if case .attribute = property { .valuesKept } else { .linksKept }
    case .followsRename: return .linksKept
    case .followsAncestor: return .noneBeyondAncestor
    case .changed(let aspect, _, _):
      switch (old, new) {
      case (.attribute(let source)?, .attribute(let attribute)?): return changed(aspect, source, attribute, change)
      case (.relationship(let source)?, .relationship(let relationship)?):
        return changed(aspect, source, relationship, change)
      default: return .none
      }
    }
  }

  private func added(_ property: Property) -> DataEffect {
    guard !property.isTransient else { return .nothingIsStored }
    guard case .attribute(let attribute) = property else { return .noLinksInExistingRows }
    if attribute.derivation != nil { return .valueComputed }
    if attribute.type == .composite { return .defaultsOfElements }
    return attribute.defaultValue.map { .defaultForExistingRows($0) } ?? DataEffect.noValueInExistingRows
  }

  private func removed(_ property: Property, _ change: Change) -> DataEffect {
    switch property {
    case .attribute(let attribute):
      return attribute.derivation != nil && !attribute.isTransient ? .derivedValuesGo : .nothingWasStored
    case .relationship(let relationship):
      guard !relationship.isTransient else { return .nothingWasStored }
      // The inverse keeps the links, unless it or its entity is removed too.
      let inverse = relationship.inverseName.flatMap { name in
        relationship.destinationEntityName.map { step.source.declaration(of: .property(entity: $0, name: name)) }
      }
      let target = relationship.destinationEntityName.map { ModelElement.entity($0) }
      let isInverseRemoved = difference.changes.contains { change in
        change.kind == .removed && (change.sourceElement == inverse || change.sourceElement == target)
      }
      return inverse == nil || isInverseRemoved ? .lost(.relationshipRemoved) : .linksKept
    }
  }

  private func changed(
    _ aspect: Aspect, _ source: AttributeDescription, _ attribute: AttributeDescription, _ change: Change
  ) -> DataEffect {
    if aspect == .transient { return attribute.isTransient ? .nothingWasStored : added(.attribute(attribute)) }
    if source.isTransient || attribute.isTransient { return .none }
    switch aspect {
    case .type: return .valuesConverted
    case .optional:
      guard !attribute.isOptional, let value = attribute.defaultValue else { return .noneOnExistingRows }
      return .defaultForRowsWithoutValue(value)
    case .externalStorage: return attribute.allowsExternalBinaryDataStorage ? .valuesStayInRows : .valuesMoveIntoRows
    case .preservedInHistory: return .noneOnExistingRows
    case .derivation: return attribute.derivation == nil ? .derivedValuesKept : .valueComputedAnew
    case .derivationFilter: return .valueComputedAnew
    case .elements: return .elementsLikeAttributes
    case .defaultValue:
      let isUnreached = difference.hints.contains { hint in
        guard case .doesNotReachExistingRows(change.element, .defaultValue, _) = hint else { return false }
        return true
      }
      if isUnreached { return .existingValuesStay }
      return attribute.defaultValue.map { .defaultForRowsWithoutValue($0) } ?? DataEffect.none
    case .minimum, .maximum, .regularExpression: return .existingRowsUncheckedUntilSaved
    case .indexed: return indexes(of: change)
    default: return .none
    }
  }

  private func changed(
    _ aspect: Aspect, _ source: RelationshipDescription, _ relationship: RelationshipDescription, _ change: Change
  ) -> DataEffect {
    if aspect == .transient { return relationship.isTransient ? .nothingWasStored : .noLinksInExistingRows }
    if source.isTransient || relationship.isTransient { return .none }
    switch aspect {
    case .optional: return .noneOnExistingRows
    case .destination, .inverse: return .linksKept
    case .toMany: return relationship.isToMany ? .linkBecomesSetOfOne : .linksKept
    case .ordered: return relationship.isOrdered ? .linksGetOrder : .linksKept
    case .minCount, .maxCount: return change.changesHash ? .existingRowsUnchecked : .none
    case .indexed: return indexes(of: change)
    case .deleteRule: return .laterDeletionsOnly
    default: return .none
    }
  }
}

extension Change.Kind {
  /// True for a change that a migration follows with values or links.
  fileprivate var movesValues: Bool {
    switch self {
    case .renamed, .moved: true
    case .changed(let aspect, _, _):
      [.type, .externalStorage, .derivation, .elements, .destination, .toMany, .ordered].contains(aspect)
    default: false
    }
  }
}
