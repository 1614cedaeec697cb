import ModelDescription

extension DifferenceBuilder {
  typealias Declaration = DeclarationPairing.Declaration

  /// Adds what happened to the properties of one kind: those that an entity declares, then those that it declared.
  ///
  /// - Parameters:
  ///   - entity: the entity of the newer version.
  ///   - sourceEntity: the entity that it continues.
  ///   - compare: adds what changed in a property that continues another, which is given first with its declaration.
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
          add(element, from: nil, .added, property.added)
        }
        continue
      }
      if isMoved(declaration, to: entity) {
        let oldElement = ModelElement.property(entity: declaration.entity, name: declaration.name)
        add(element, from: oldElement, .moved(from: declaration.entity, to: entity.name), property.moved)
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

  /// Adds a property of the source that moved elsewhere, became another kind, or is gone.
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
      add(element, from: sourceElement, .moved(from: sourceEntity.name, to: target.entity), property.moved)
      return
    }
    guard let successor = Property.Counterpart.all(of: entity.name, in: destination)[property.name],
      self[keyPath: Property.Counterpart.declarations]
        .sources[Declaration(entity: successor.entity.name, name: property.name)] == nil
    else { return add(sourceElement, from: sourceElement, .removed, property.removed) }
    let isStored = !property.isTransient || !successor.property.isTransient
    let (kind, effect) = Property.becomingCounterpart
    let meaning = Assessment.inferable(effect).combined(with: successor.property.added)
    add(element, from: sourceElement, kind, isStored ? meaning : .unversioned())
  }

  /// Whether an entity declared a property of this kind and name that nothing continues.
  private func isDropped<Property: ComparedProperty>(
    _ kind: Property.Type, named name: String, by sourceEntity: EntityDescription
  ) -> Bool {
    Property.declared(by: sourceEntity).contains { $0.name == name }
      && !self[keyPath: Property.declarations].continued.contains(Declaration(entity: sourceEntity.name, name: name))
  }
}

extension Assessment {
  /// The same effect where the coming half may depend on the rows.
  fileprivate func combined(with added: Assessment) -> Assessment {
    if case .dependsOnRows(let condition) = added.inferability { return .dependsOnRows(condition, effect) }
    return self
  }
}
