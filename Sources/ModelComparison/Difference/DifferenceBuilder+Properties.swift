import ModelDescription

extension DifferenceBuilder {
  typealias Declaration = DeclarationPairing.Declaration

  /// Adds the changes of the properties of one kind: of the destination's properties, then of removed properties.
  ///
  /// - Parameter compare: adds the changes of a property; it takes the source property with its declaration first.
  mutating func addProperties<Property: ComparedProperty>(
    of entity: EntityDescription,
    from sourceEntity: EntityDescription?,
    comparing compare: (inout DifferenceBuilder, Property, Declaration, Property) -> Void
  ) {
    for property in Property.declared(by: entity) {
      let element = ModelElement.property(entity: entity.name, name: property.name)
      let declarations = self[keyPath: Property.declarations]
      guard let declaration = declarations.sources[Declaration(entity: entity.name, name: property.name)],
        let old = Property.all(of: declaration.entity, in: source)[declaration.name]?.property
      else {
        if let sourceEntity, !isDropped(Property.Counterpart.self, named: property.name, by: sourceEntity) {
          add(element, from: nil, .added, changesHash: !property.isTransient)
        }
        continue
      }
      if isMoved(declaration, to: entity) {
        let oldElement = ModelElement.property(entity: declaration.entity, name: declaration.name)
        add(
          element, from: oldElement, .moved(from: declaration.entity, to: entity.name),
          changesHash: !property.isTransient)
      }
      compare(&self, old, declaration, property)
    }
    guard let sourceEntity else { return }
    let names = Property.names(ofDestination: entity.name, in: pairing).destinationNames
    for property in Property.declared(by: sourceEntity) {
      addDeparture(of: property, from: sourceEntity, to: entity, names: names)
    }
  }

  func isMoved(_ declaration: Declaration, to entity: EntityDescription) -> Bool {
    pairing.destination(ofSource: declaration.entity) != entity.name
  }

  /// Adds a source property that moved, became a property of the other kind, or was removed.
  private mutating func addDeparture<Property: ComparedProperty>(
    of property: Property,
    from sourceEntity: EntityDescription,
    to entity: EntityDescription,
    names: [String: String]
  ) {
    let declarations = self[keyPath: Property.declarations]
    let declaration = Declaration(entity: sourceEntity.name, name: property.name)
    let sourceElement = ModelElement.property(entity: sourceEntity.name, name: property.name)
    let element = ModelElement.property(entity: entity.name, name: property.name)
    if declarations.continued.contains(declaration) {
      let here = names[property.name].flatMap { Property.all(of: entity.name, in: destination)[$0] }
      let leaves = here.map { $0.entity.name != entity.name && $0.property.isTransient } ?? true
      guard leaves, !property.isTransient, let target = declarations.first[declaration] else { return }
      add(element, from: sourceElement, .moved(from: sourceEntity.name, to: target.entity))
      return
    }
    guard let successor = Property.Counterpart.all(of: entity.name, in: destination)[property.name],
      self[keyPath: Property.Counterpart.declarations]
        .sources[Declaration(entity: successor.entity.name, name: property.name)] == nil
    else { return add(sourceElement, from: sourceElement, .removed, changesHash: !property.isTransient) }
    add(
      element, from: sourceElement, Property.becomingCounterpart,
      changesHash: !property.isTransient || !successor.property.isTransient)
  }

  /// True if an entity declared a property of this kind and name that no property continues.
  private func isDropped<Property: ComparedProperty>(
    _ kind: Property.Type, named name: String, by sourceEntity: EntityDescription
  ) -> Bool {
    Property.declared(by: sourceEntity).contains { $0.name == name }
      && !self[keyPath: Property.declarations].continued.contains(Declaration(entity: sourceEntity.name, name: name))
  }
}

/// A property with values or links in rows, which may continue a source property of its kind.
protocol ComparedProperty: Sendable {
  /// The other kind, for a property that keeps only its name.
  associatedtype Counterpart: ComparedProperty

  /// The pairs of properties of this kind.
  static var declarations: KeyPath<DifferenceBuilder, DeclarationPairing> { get }
  /// The change of a property that becomes its counterpart.
  static var becomingCounterpart: Change.Kind { get }

  static func declared(by entity: EntityDescription) -> [Self]
  static func all(of entity: String, in hierarchy: EntityHierarchy) -> [String: EntityHierarchy.Declared<Self>]
  static func names(ofDestination entity: String, in pairing: EntityPairing) -> PropertyPairing

  var name: String { get }
  var isTransient: Bool { get }
}

extension AttributeDescription: ComparedProperty {
  typealias Counterpart = RelationshipDescription

  static var declarations: KeyPath<DifferenceBuilder, DeclarationPairing> { \.attributes }
  static var becomingCounterpart: Change.Kind { .attributeBecameRelationship }

  static func declared(by entity: EntityDescription) -> [AttributeDescription] { entity.attributes }

  static func all(
    of entity: String, in hierarchy: EntityHierarchy
  ) -> [String: EntityHierarchy.Declared<AttributeDescription>] {
    hierarchy.allAttributes(of: entity)
  }

  static func names(ofDestination entity: String, in pairing: EntityPairing) -> PropertyPairing {
    pairing.attributes(ofDestination: entity)
  }
}

extension RelationshipDescription: ComparedProperty {
  typealias Counterpart = AttributeDescription

  static var declarations: KeyPath<DifferenceBuilder, DeclarationPairing> { \.relationships }
  static var becomingCounterpart: Change.Kind { .relationshipBecameAttribute }

  static func declared(by entity: EntityDescription) -> [RelationshipDescription] { entity.relationships }

  static func all(
    of entity: String, in hierarchy: EntityHierarchy
  ) -> [String: EntityHierarchy.Declared<RelationshipDescription>] {
    hierarchy.allRelationships(of: entity)
  }

  static func names(ofDestination entity: String, in pairing: EntityPairing) -> PropertyPairing {
    pairing.relationships(ofDestination: entity)
  }
}

extension DifferenceBuilder {
  mutating func addAttributes(of entity: EntityDescription, from sourceEntity: EntityDescription?) {
    addProperties(of: entity, from: sourceEntity) { builder, old, declaration, attribute in
      builder.compareAttribute(old, declaredAs: declaration, attribute, of: entity)
    }
  }

  private mutating func compareAttribute(
    _ old: AttributeDescription,
    declaredAs declaration: Declaration,
    _ attribute: AttributeDescription,
    of entity: EntityDescription
  ) {
    let element = ModelElement.property(entity: entity.name, name: attribute.name)
    let oldElement = ModelElement.property(entity: declaration.entity, name: declaration.name)
    if HashedText(old.name) != HashedText(attribute.name) {
      let differs = hashes.differs(declaration.entity, from: entity.name)
      add(
        element, from: oldElement, .renamed(from: old.name, to: attribute.name),
        changesHash: attribute.nameChangesHash(from: old, hashDiffers: differs))
    }
    let leavesTheRows = isMoved(declaration, to: entity) && attribute.isTransient
    for entry in AspectComparison(old, attribute).entries {
      add(
        element, from: oldElement, .changed(entry.aspect, from: entry.from, to: entry.to),
        changesHash: !leavesTheRows && attribute.changesHash(entry.aspect, from: old))
    }
  }

  mutating func addRelationships(of entity: EntityDescription, from sourceEntity: EntityDescription?) {
    addProperties(of: entity, from: sourceEntity) { builder, old, declaration, relationship in
      builder.compareRelationship(old, declaredAs: declaration, relationship, of: entity)
    }
  }

  private mutating func compareRelationship(
    _ old: RelationshipDescription,
    declaredAs declaration: Declaration,
    _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) {
    let element = ModelElement.property(entity: entity.name, name: relationship.name)
    let oldElement = ModelElement.property(entity: declaration.entity, name: declaration.name)
    if HashedText(old.name) != HashedText(relationship.name) {
      add(
        element, from: oldElement, .renamed(from: old.name, to: relationship.name),
        changesHash: !old.isTransient && !relationship.isTransient)
    }
    let hashesInverse =
      source.hashedInverseName(of: old, in: declaration.entity)
      != destination.hashedInverseName(of: relationship, in: entity.name)
    for entry in AspectComparison(old, relationship).entries {
      add(
        element, from: oldElement,
        followedRename(entry.aspect, from: old, to: relationship)
          ?? .changed(entry.aspect, from: entry.from, to: entry.to),
        changesHash: relationship.changesHash(entry.aspect, from: old, hashesInverse: hashesInverse))
    }
  }

  /// The change as a consequence, if its entity or its inverse was renamed.
  private func followedRename(
    _ aspect: Aspect,
    from old: RelationshipDescription,
    to relationship: RelationshipDescription
  ) -> Change.Kind? {
    switch aspect {
    case .destination:
      guard let from = old.destinationEntityName, let to = relationship.destinationEntityName,
        pairing.source(ofDestination: to) == from
      else { return nil }
      return .followsRename(aspect, from: from, to: to)
    case .inverseEntity:
      guard let from = old.inverseEntityName, let to = relationship.inverseEntityName,
        pairing.source(ofDestination: to) == from
      else { return nil }
      return .followsRename(aspect, from: from, to: to)
    case .inverse:
      guard let from = old.inverseName, let to = relationship.inverseName,
        let entity = relationship.destinationEntityName,
        let declaring = destination.allRelationships(of: entity)[to]?.entity.name,
        relationships.sources[Declaration(entity: declaring, name: to)]?.name == from
      else { return nil }
      return .followsRename(aspect, from: from, to: to)
    default: return nil
    }
  }
}
