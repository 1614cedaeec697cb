public import ModelDescription

/// Computes the version hashes of a model's entities, each at most once.
public struct EntityHasher {
  let hierarchy: EntityHierarchy
  private var known: [String: VersionHash] = [:]

  /// Makes a hasher for one model.
  public init(_ hierarchy: EntityHierarchy) {
    self.hierarchy = hierarchy
  }

  /// The version hash of an entity, nil when the model has none of that name.
  ///
  /// - Throws: ``ModelStructureError/unrecognizedAttributeType(entity:attribute:type:)``.
  public mutating func hash(of name: String) throws(ModelStructureError) -> VersionHash? {
    if let hash = known[name] { return hash }
    var parent: VersionHash?
    for entity in hierarchy.lineage(of: name).reversed() {
      if let hash = known[entity.name] {
        parent = hash
        continue
      }
      parent = try fingerprint(of: entity.name, superentity: parent)?.hash
      known[entity.name] = parent
    }
    return parent
  }

  func storedProperties(of name: String) throws(ModelStructureError) -> [EntityFingerprint.Property] {
    var properties: [EntityFingerprint.Property] = []
    for (propertyName, declared) in hierarchy.allAttributes(of: name) where !declared.property.isTransient {
      let hash = try PropertyHasher.hash(declared.property, of: declared.entity.name)
      properties.append(EntityFingerprint.Property(name: propertyName, hash: hash))
    }
    for (propertyName, declared) in hierarchy.allRelationships(of: name) where !declared.property.isTransient {
      let hash = hash(of: declared.property, in: name)
      properties.append(EntityFingerprint.Property(name: propertyName, hash: hash))
    }
    return properties
  }

  /// The inverse's name unless there is none or the topmost declaration of the relationship is its own inverse.
  func countedInverse(of relationship: RelationshipDescription, in entity: String) -> String? {
    guard let inverse = relationship.inverseName, !inverse.isEmpty else { return nil }
    let topmost = hierarchy.lineage(of: entity).last { entity in
      entity.relationships.contains { $0.name == relationship.name }
    }
    let inherited = topmost?.name == entity ? nil : topmost?.relationships.first { $0.name == relationship.name }
    let declaration = inherited ?? relationship
    let isOwnInverse =
      declaration.inverseName == declaration.name
      && declaration.destinationEntityName == (inherited == nil ? entity : topmost?.name)
    return isOwnInverse ? nil : inverse
  }
}
