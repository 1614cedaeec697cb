import ModelDescription

/// What of an entity enters its version hash, apart from its parent's hash.
///
/// Two entities of one name have equal hashes exactly when these and their parents' hashes are equal.
struct HashedEntity: Hashable {
  let name: HashedText
  let isAbstract: Bool
  let superentityName: HashedText?
  let properties: [HashedProperty]
  let modifier: HashedText
  let constraints: [HashedText]

  init(_ entity: EntityDescription, in hierarchy: EntityHierarchy) {
    name = HashedText(entity.name)
    isAbstract = entity.isAbstract
    superentityName = entity.superentityName.map(HashedText.init)
    modifier = HashedText(entity.versionHashModifier ?? "")
    constraints = Self.constraints(of: entity)
    var stored: [(name: String, property: HashedProperty)] = []
    for (name, declared) in hierarchy.allAttributes(of: entity.name) where !declared.property.isTransient {
      stored.append((name, HashedProperty(declared.property)))
    }
    for (name, declared) in hierarchy.allRelationships(of: entity.name) where !declared.property.isTransient {
      let inverse = hierarchy.hashedInverseName(of: declared.property, in: entity.name)
      stored.append((name, HashedProperty(declared.property, inverse: inverse)))
    }
    properties = stored.sorted { $0.name.precedesByBytes($1.name) }.map(\.property)
  }

  /// The constraints as they are hashed: names joined by dots, sorted.
  static func constraints(of entity: EntityDescription) -> [HashedText] {
    entity.uniquenessConstraints.map { $0.joined(separator: ".") }.filter { !$0.isEmpty }
      .sorted { $0.precedesByBytes($1) }.map(HashedText.init)
  }
}
