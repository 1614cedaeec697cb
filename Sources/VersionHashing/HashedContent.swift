import ModelDescription

/// What enters an entity's version hash beside its name, before any of it is hashed; properties in the model's order.
struct HashedContent: Equatable {
  /// A stored property with its name, inherited ones included.
  struct Property: Equatable {
    let name: HashedText
    let property: HashedProperty
  }

  let name: HashedText
  let isAbstract: Bool
  let superentity: VersionHash?
  let modifier: HashedText
  let constraints: [[HashedText]]
  let properties: [Property]

  init(_ entity: EntityDescription, superentity: VersionHash?, in hierarchy: EntityHierarchy) {
    name = HashedText(entity.name)
    isAbstract = entity.isAbstract
    self.superentity = superentity
    modifier = HashedText(entity.versionHashModifier ?? "")
    constraints = entity.uniquenessConstraints.map { $0.map(HashedText.init) }
    properties = Self.properties(of: entity, in: hierarchy)
  }

  /// The stored properties of an entity: its own and, where it does not declare them anew, its ancestors'.
  private static func properties(of entity: EntityDescription, in hierarchy: EntityHierarchy) -> [Property] {
    let lineage = entity.superentityName == nil ? [entity] : hierarchy.lineage(of: entity.name)
    var properties: [Property] = []
    properties.reserveCapacity(entity.attributes.count + entity.relationships.count)
    var attributeNames: Set<String> = []
    var relationshipNames: Set<String> = []
    for holder in lineage {
      for attribute in holder.attributes
      where lineage.count == 1 || attributeNames.insert(attribute.name).inserted {
        guard !attribute.isTransient else { continue }
        properties.append(Property(name: HashedText(attribute.name), property: HashedProperty(attribute)))
      }
      for relationship in holder.relationships
      where lineage.count == 1 || relationshipNames.insert(relationship.name).inserted {
        guard !relationship.isTransient else { continue }
        let inverse = hierarchy.hashedInverseName(of: relationship, in: entity.name)
        properties.append(
          Property(name: HashedText(relationship.name), property: HashedProperty(relationship, inverse: inverse)))
      }
    }
    return properties
  }
}
