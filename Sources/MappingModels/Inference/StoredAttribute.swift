package import ModelDescription

/// One attribute value that a store keeps: a plain attribute, or one element of a composite one.
package struct StoredAttribute: Sendable {
  /// The names from the attribute to the element, joined by dots.
  package let path: String
  /// The entity that declares the attribute.
  package let entity: String
  /// The attribute of the entity.
  package let attribute: AttributeDescription
  /// The attribute itself, or the element of a composite one.
  package let leaf: AttributeDescription

  /// True when a row may lack the value.
  package var isOptional: Bool { attribute.isOptional || leaf.isOptional }
  /// How the value is derived, if it is.
  package var derivation: Derivation? { attribute.derivation }
  /// The value of new rows.
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
