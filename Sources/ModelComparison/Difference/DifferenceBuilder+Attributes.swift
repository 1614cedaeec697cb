import ModelDescription

extension DifferenceBuilder {
  mutating func addAttributes(of entity: EntityDescription, from sourceEntity: EntityDescription?) {
    addProperties(of: entity, from: sourceEntity) { builder, old, declaration, attribute in
      builder.compare(old, declaredAs: declaration, attribute, of: entity)
    }
  }

  private mutating func compare(
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
        element,
        from: oldElement,
        .renamed(from: old.name, to: attribute.name),
        .renamed(old, to: attribute, hashDiffers: differs)
      )
    }
    let leavesTheRows = isMoved(declaration, to: entity) && attribute.isTransient
    for entry in AspectComparison(old, attribute).entries {
      add(
        element,
        from: oldElement,
        .changed(entry.aspect, from: entry.from, to: entry.to),
        leavesTheRows ? .unversioned() : .changed(entry.aspect, from: old, to: attribute)
      )
    }
  }
}
