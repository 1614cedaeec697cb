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
  /// - Throws: `ModelStructureError`.
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

  /// The hashed properties of an entity: its own and, where it does not declare them anew, its ancestors'.
  func storedProperties(of name: String) throws(ModelStructureError) -> [EntityFingerprint.Property] {
    var properties: [EntityFingerprint.Property] = []
    var attributeNames: Set<String> = []
    var relationshipNames: Set<String> = []
    for entity in hierarchy.lineage(of: name) {
      for attribute in entity.attributes where attributeNames.insert(attribute.name).inserted {
        guard !attribute.isTransient else { continue }
        let hash = try PropertyHasher.hash(attribute, of: entity.name)
        properties.append(EntityFingerprint.Property(name: attribute.name, hash: hash))
      }
      for relationship in entity.relationships where relationshipNames.insert(relationship.name).inserted {
        guard !relationship.isTransient else { continue }
        properties.append(
          EntityFingerprint.Property(name: relationship.name, hash: hash(of: relationship, in: name)))
      }
    }
    return properties
  }
}
