package import ModelDescription

/// One attribute value that a store keeps: a plain attribute, or one element of a composite attribute.
package struct StoredAttribute: Sendable {
  /// The names from the attribute to the element, joined by dots.
  package let path: String
  package let entity: String
  package let attribute: AttributeDescription
  /// The attribute itself, or the element of a composite attribute.
  package let leaf: AttributeDescription

  /// True if a row may lack a value.
  package var isOptional: Bool {
    guard attribute.type == .composite else { return attribute.isOptional }
    return !attribute.requires(path.split(separator: ".").map(String.init).dropFirst())
  }
  /// The derivation, if the value is derived.
  package var derivation: Derivation? { attribute.derivation }
  package var defaultValue: AttributeValue? { leaf.defaultValue }
}

extension EntityHierarchy {
  /// The stored attribute values of an entity, including inherited values, by leaf path.
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

  /// The stored relationships of an entity, including inherited relationships, by name.
  package func storedRelationships(of entity: String) -> [String: RelationshipDescription] {
    allRelationships(of: entity).mapValues(\.property).filter { !$0.value.isTransient }
  }

  /// The stored relationship of an entity with a name; it may be inherited.
  package func storedRelationship(_ name: String, of entity: String) -> RelationshipDescription? {
    guard let relationship = allRelationships(of: entity)[name]?.property, !relationship.isTransient else { return nil }
    return relationship
  }
}

/// Finds stored derived values that a migration invalidates, so that they are computed again.
///
/// A derived attribute with an unchanged expression keeps its values, with two exceptions: a property in the expression
/// has changed values, or objects that it may aggregate are removed or leave their hierarchy.
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

  /// True if an entity is no longer below one of its former ancestors, so that links to it or from it are dropped.
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
  /// True if every row keeps its value under this path.
  fileprivate func keepsValues(of path: String) -> Bool {
    origin == .source(path)
      && steps.allSatisfy { step in if case .externalStorage = step { true } else { false } }
  }
}
