import ModelDescription

/// The facts about a model that random edits need, and the repairs that keep it valid.
extension ManagedObjectModel {
  func position(_ name: String) -> Int? { entities.firstIndex { $0.name == name } }

  func entity(_ name: String) -> EntityDescription? { entities.first { $0.name == name } }

  func root(of name: String) -> String {
    var current = name
    while let parent = entity(current)?.superentityName { current = parent }
    return current
  }

  /// The names of an entity's ancestors, nearest first.
  func ancestors(of name: String) -> [String] {
    guard let parent = entity(name)?.superentityName else { return [] }
    return [parent] + ancestors(of: parent)
  }

  func inheritedAttributes(of name: String) -> [AttributeDescription] {
    ancestors(of: name).flatMap { entity($0)?.attributes ?? [] }
  }

  /// True when an entity, one above it or one below it has a property of this name or canonical name.
  func isTaken(_ name: String, in entity: String) -> Bool {
    entities.contains { other in
      let isRelated =
        other.name == entity || ancestors(of: entity).contains(other.name) || ancestors(of: other.name).contains(entity)
      guard isRelated else { return false }
      return other.attributes.contains { $0.name == name || $0.canonicalName == name }
        || other.relationships.contains { $0.name == name || $0.canonicalName == name }
    }
  }

  /// True when an entity has a property of the same name as one above it.
  var hasOverrides: Bool {
    entities.contains { entity in
      let above = ancestors(of: entity.name).compactMap { self.entity($0) }
      let names = above.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
      return entity.attributes.contains { names.contains($0.name) }
        || entity.relationships.contains { names.contains($0.name) }
    }
  }

  mutating func rename(_ old: String, to new: String) {
    guard let position = position(old) else { return }
    entities[position].renamingIdentifier = entities[position].canonicalName
    entities[position].name = new
    for other in entities.indices {
      if entities[other].superentityName == old { entities[other].superentityName = new }
      for link in entities[other].relationships.indices {
        if entities[other].relationships[link].destinationEntityName == old {
          entities[other].relationships[link].destinationEntityName = new
        }
        if entities[other].relationships[link].inverseEntityName == old {
          entities[other].relationships[link].inverseEntityName = new
        }
      }
    }
  }

  /// Gives the relationships whose inverse was renamed its new name.
  mutating func retarget(inverse old: String, of owner: String, to new: String) {
    for entity in entities.indices {
      for link in entities[entity].relationships.indices
      where entities[entity].relationships[link].inverseName == old
        && entities[entity].relationships[link].destinationEntityName == owner
      {
        entities[entity].relationships[link].inverseName = new
      }
    }
  }

  /// Removes inverses that no longer exist, and derivations without a source.
  mutating func repair() {
    guard let hierarchy = try? EntityHierarchy(self) else { return }
    for entity in entities.indices {
      for link in entities[entity].relationships.indices {
        let relationship = entities[entity].relationships[link]
        guard let inverse = relationship.inverseName, let destination = relationship.destinationEntityName else {
          continue
        }
        let other = hierarchy.allRelationships(of: destination)[inverse]?.property
        if other?.inverseName != relationship.name || other?.destinationEntityName != entities[entity].name {
          entities[entity].relationships[link].inverseName = nil
          entities[entity].relationships[link].inverseEntityName = nil
        }
      }
      let relationships = Set(hierarchy.allRelationships(of: entities[entity].name).keys)
      entities[entity].attributes.removeAll { attribute in
        guard let expression = attribute.derivation?.expression else { return false }
        return !relationships.contains(String(expression.prefix { $0 != "." }))
      }
    }
  }
}

extension ManagedObjectModel {
  /// The model in a few lines, for failing seeds.
  var outline: String {
    entities.map { entity in
      func identifier(_ text: String?) -> String { text.map { " was \($0)" } ?? "" }
      let attributes = entity.attributes.map {
        "\($0.name): \($0.type.name)\($0.isOptional ? "?" : "")\($0.derivation.map { " = \($0.expression)" } ?? "")"
          + "\($0.allowsExternalBinaryDataStorage ? " external" : "")\(identifier($0.renamingIdentifier))"
      }
      let links = entity.relationships.map {
        "\($0.name) \($0.isToMany ? ($0.isOrdered ? "=>>" : "->>") : "->") \($0.destinationEntityName ?? "-")"
          + "/\($0.inverseName ?? "-")\(identifier($0.renamingIdentifier))"
      }
      return
        "  \(entity.name)\(entity.superentityName.map { " < \($0)" } ?? "")\(identifier(entity.renamingIdentifier)): "
        + (attributes + links).joined(separator: ", ")
    }.joined(separator: "\n")
  }
}
