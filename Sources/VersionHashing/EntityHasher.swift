public import ModelDescription

/// Computes the version hashes of a model's entities, each at most once.
public struct EntityHasher {
  private let hierarchy: EntityHierarchy
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
      parent = try compute(entity, parent: parent)
      known[entity.name] = parent
    }
    return parent
  }

  private func compute(_ entity: EntityDescription, parent: VersionHash?) throws(ModelStructureError) -> VersionHash? {
    var input = HashInput()
    input.append(entity.name)
    input.append(UInt8(entity.isAbstract ? 1 : 0))
    if let parent { input.append(parent.bytes) }
    for property in try storedPropertyHashes(of: entity.name) { input.append(property) }
    if let modifier = entity.versionHashModifier { input.append(modifier) }
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }.filter { !$0.isEmpty }
    for constraint in constraints.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      input.append(constraint)
    }
    return VersionHash(input.finish())
  }

  private func storedPropertyHashes(of name: String) throws(ModelStructureError) -> [[UInt8]] {
    var hashes: [(name: String, hash: [UInt8])] = []
    for (propertyName, declared) in hierarchy.allAttributes(of: name) where !declared.property.isTransient {
      hashes.append((propertyName, try PropertyHasher.hash(declared.property, of: declared.entity.name)))
    }
    for (propertyName, declared) in hierarchy.allRelationships(of: name) where !declared.property.isTransient {
      let inverse = hierarchy.hashedInverseName(of: declared.property, in: name)
      hashes.append((propertyName, PropertyHasher.hash(declared.property, countedInverse: inverse)))
    }
    return hashes.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map(\.hash)
  }
}
