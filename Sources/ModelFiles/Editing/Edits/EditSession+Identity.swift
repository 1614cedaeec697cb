import ModelDescription

/// What entities and properties are known by from version to version: the renaming identifier, else the name.
extension EditSession {
  /// Checks that no other entity is known by a name.
  ///
  /// - Parameters:
  ///   - canonicalName: the identifier, else the name, that the entity gets.
  ///   - entity: the entity's name before the edit.
  /// - Throws: ``ContentsEditError/sharedIdentity(_:_:with:)``.
  func checkIdentity(_ canonicalName: String, ofEntity entity: String) throws(ContentsEditError) {
    let other = model.entities.first { other in
      other.name != entity && Self.isKnown(other.name, other.renamingIdentifier, by: canonicalName)
    }
    if let other { throw .sharedIdentity(.entity(entity), canonicalName, with: .entity(other.name)) }
  }

  /// Checks that no other attribute, or relationship, that an entity has, inherits or hands down is known by a name.
  ///
  /// - Parameters:
  ///   - canonicalName: the identifier, else the name, that the property gets.
  ///   - property: the property's name before the edit.
  ///   - entity: the entity that declares it.
  ///   - isAttribute: false for a relationship; the two kinds are told apart in every version.
  /// - Throws: ``ContentsEditError/sharedIdentity(_:_:with:)``.
  func checkIdentity(
    _ canonicalName: String, of property: String, in entity: String, isAttribute: Bool
  ) throws(ContentsEditError) {
    for relative in hierarchy.lineage(of: entity) + hierarchy.family(of: entity).dropFirst() {
      let siblings =
        isAttribute
        ? relative.attributes.map { ($0.name, $0.renamingIdentifier) }
        : relative.relationships.map { ($0.name, $0.renamingIdentifier) }
      for (name, identifier) in siblings where name != property && Self.isKnown(name, identifier, by: canonicalName) {
        throw .sharedIdentity(
          .property(entity: entity, name: property), canonicalName,
          with: .property(entity: relative.name, name: name))
      }
    }
  }

  private static func isKnown(_ name: String, _ identifier: String?, by canonicalName: String) -> Bool {
    (identifier.flatMap { $0.isEmpty ? nil : $0 } ?? name) == canonicalName
  }
}
