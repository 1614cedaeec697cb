extension EntityHierarchy {
  /// The inverse's name as it enters a relationship's hash, nil when it does not.
  ///
  /// It does not where there is none, and where the topmost declaration of the relationship is its own inverse.
  package func hashedInverseName(of relationship: RelationshipDescription, in entity: String) -> String? {
    guard let inverse = relationship.inverseName, !inverse.isEmpty else { return nil }
    let topmost = lineage(of: entity).last { entity in
      entity.relationships.contains { $0.name == relationship.name }
    }
    let inherited = topmost?.name == entity ? nil : topmost?.relationships.first { $0.name == relationship.name }
    let declaration = inherited ?? relationship
    let declaringEntity = inherited == nil ? entity : topmost?.name
    let isOwnInverse =
      declaration.inverseName == declaration.name && declaration.destinationEntityName == declaringEntity
    return isOwnInverse ? nil : inverse
  }
}
