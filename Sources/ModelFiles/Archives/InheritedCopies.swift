import ModelDescription

/// Takes out of sub-entities what they only repeat: compiled models list inherited properties again.
enum InheritedCopies {
  static func dropped(from entities: [EntityDescription]) -> [EntityDescription] {
    let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    return entities.map { entity in
      let ancestors = ancestors(of: entity, byName)
      guard !ancestors.isEmpty else { return entity }
      var own = entity
      own.attributes = without(entity, ancestors, \.attributes, name: \.name)
      own.relationships = without(entity, ancestors, \.relationships, name: \.name)
      own.fetchedProperties = without(entity, ancestors, \.fetchedProperties, name: \.name)
      return own
    }
  }

  /// Drops what equals the nearest ancestor's property of the same name.
  private static func without<Property: Equatable>(
    _ entity: EntityDescription, _ ancestors: [EntityDescription],
    _ properties: KeyPath<EntityDescription, [Property]>, name: KeyPath<Property, String>
  ) -> [Property] {
    var inherited: [String: Property] = [:]
    for property in ancestors.reversed().flatMap({ $0[keyPath: properties] }) {
      inherited[property[keyPath: name]] = property
    }
    return entity[keyPath: properties].filter { inherited[$0[keyPath: name]] != $0 }
  }

  private static func ancestors(
    of entity: EntityDescription, _ byName: [String: EntityDescription]
  ) -> [EntityDescription] {
    var ancestors: [EntityDescription] = []
    var seen: Set<String> = [entity.name]
    var next = entity.superentityName
    while let name = next, seen.insert(name).inserted, let ancestor = byName[name] {
      ancestors.append(ancestor)
      next = ancestor.superentityName
    }
    return ancestors
  }
}
