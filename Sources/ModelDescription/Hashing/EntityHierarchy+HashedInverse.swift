extension EntityHierarchy {
  /// The inverse's name as it enters a relationship's hash, nil when it does not.
  ///
  /// It does not where there is none, and where the topmost declaration of the relationship is its own inverse.
  package func hashedInverseName(of relationship: RelationshipDescription, in entity: String) -> String? {
    guard let inverse = relationship.inverseName, !inverse.isEmpty else { return nil }
    var (declaration, declaringEntity) = (relationship, entity)
    if superentity(of: entity) != nil {
      for ancestor in lineage(of: entity).dropFirst() {
        guard let inherited = ancestor.relationships.first(where: { $0.name == relationship.name }) else { continue }
        (declaration, declaringEntity) = (inherited, ancestor.name)
      }
    }
    let isOwnInverse =
      declaration.inverseName == declaration.name && declaration.destinationEntityName == declaringEntity
    return isOwnInverse ? nil : inverse
  }
}
