package import ModelDescription

/// One attribute value that a store keeps: a plain attribute, or one element of a composite one.
package struct StoredAttribute: Sendable {
  /// The names from the attribute to the element, joined by dots.
  package let path: String
  package let entity: String
  package let attribute: AttributeDescription
  /// The attribute itself, or the element of a composite one.
  package let leaf: AttributeDescription

  /// True when a row may lack the value.
  package var isOptional: Bool {
    guard attribute.type == .composite else { return attribute.isOptional }
    return !attribute.requires(path.split(separator: ".").map(String.init).dropFirst())
  }
  /// How the value is derived, if it is.
  package var derivation: Derivation? { attribute.derivation }
  package var defaultValue: AttributeValue? { leaf.defaultValue }
}

extension EntityHierarchy {
  /// The attribute values that a store keeps for an entity, inherited ones included, by leaf path.
  package func storedAttributes(of entity: String) -> [String: StoredAttribute] {
    let attributes = allAttributes(of: entity)
    var stored: [String: StoredAttribute] = [:]
    stored.reserveCapacity(attributes.count)
    for declared in attributes.values where !declared.property.isTransient {
      for leaf in declared.property.leaves where !leaf.attribute.isTransient {
        let path = leaf.path.joined(separator: ".")
        stored[path] = StoredAttribute(
          path: path,
          entity: declared.entity.name,
          attribute: declared.property,
          leaf: leaf.attribute
        )
      }
    }
    return stored
  }

  /// The relationships that a store keeps for an entity, inherited ones included, by name.
  package func storedRelationships(of entity: String) -> [String: RelationshipDescription] {
    allRelationships(of: entity).mapValues(\.property).filter { !$0.value.isTransient }
  }

  /// The relationship of a name that a store keeps for an entity, which may inherit it.
  package func storedRelationship(_ name: String, of entity: String) -> RelationshipDescription? {
    guard let relationship = allRelationships(of: entity)[name]?.property, !relationship.isTransient else { return nil }
    return relationship
  }
}

/// Finds the kept derived values that a migration makes untrue, so that they are computed anew.
///
/// A derived attribute whose expression did not change keeps its values, unless a property that the expression names
/// changed its values, or objects that it may aggregate over go or leave their hierarchy.
struct DerivationRefresh {
  let source: EntityHierarchy
  let destination: EntityHierarchy

  func applied(to mapping: MappingModel) -> MappingModel {
    guard destination.model.entities.contains(where: { $0.attributes.contains { $0.derivation != nil } }) else {
      return mapping
    }
    let changed = changedNames(in: mapping)
    let losesLinks = mapping.entityMappings.contains { $0.destination == nil } || movesOut(in: mapping)
    var mapping = mapping
    for position in mapping.entityMappings.indices {
      guard let name = mapping.entityMappings[position].destination,
        mapping.entityMappings[position].source != nil
      else { continue }
      let stored = destination.storedAttributes(of: name)
      let attributes = mapping.entityMappings[position].attributeMappings.map { attribute in
        guard let derivation = stored[attribute.name]?.derivation else { return attribute }
        let text = derivation.expression + " " + (derivation.filterPredicate ?? "")
        let isStale =
          losesLinks && (text.contains(".") || text.contains(":"))
          || Self.words(of: text).contains { changed.contains($0) }
        guard isStale else { return attribute }
        return PropertyMapping(name: attribute.name, value: .attribute(AttributeMapping(origin: .derived(derivation))))
      }
      mapping.entityMappings[position].attributeMappings = PropertyMappings(attributes)
    }
    return mapping
  }

  /// True when an entity is no longer below one that it was below, so that links to it or from it are dropped.
  private func movesOut(in mapping: MappingModel) -> Bool {
    var names: [String: String] = [:]
    for entity in mapping.entityMappings {
      if let sourceName = entity.source, let name = entity.destination { names[sourceName] = name }
    }
    return names.contains { sourceName, name in
      source.lineage(of: sourceName).contains { ancestor in
        names[ancestor.name].map { !destination.isEntity(name, kindOf: $0) } ?? false
      }
    }
  }

  private func changedNames(in mapping: MappingModel) -> Set<String> {
    var names: Set<String> = []
    for entity in mapping.entityMappings where entity.source != nil {
      for (path, attribute) in entity.inferredAttributes where !attribute.keepsValues(of: path) {
        names.formUnion(path.split(separator: ".").map(String.init))
      }
      for (name, relationship) in entity.inferredRelationships where relationship.source != name { names.insert(name) }
    }
    return names
  }

  private static func words(of text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}

extension AttributeMapping {
  /// True when every row keeps the value that it has under this path.
  fileprivate func keepsValues(of path: String) -> Bool {
    origin == .source(path)
      && steps.allSatisfy { step in if case .externalStorage = step { true } else { false } }
  }
}
