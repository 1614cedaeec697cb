import ModelDescription

/// The effect of changes of a property on the hash of its entity.
extension AttributeDescription {
  /// True if a change of a setting changes the hash of the entity.
  func changesHash(_ aspect: Aspect, from source: AttributeDescription) -> Bool {
    if aspect == .transient { return true }
    if source.isTransient || isTransient { return false }
    // The hash of a derived or composite attribute includes little besides its derivation or elements.
    switch (source.derivation != nil, derivation != nil) {
    case (true, true):
      return (aspect == .derivation || aspect == .derivationFilter) && HashedProperty(source) != HashedProperty(self)
    case (false, false): break
    default: return aspect == .derivation
    }
    switch (source.type == .composite, type == .composite) {
    case (true, true): return aspect == .elements && HashedProperty(source) != HashedProperty(self)
    case (false, false): break
    default: return aspect == .type
    }
    switch aspect {
    case .type, .optional, .externalStorage, .preservedInHistory, .elements: return true
    case .versionHashModifier: return Aspect.differs(source.versionHashModifier, versionHashModifier)
    default: return false
    }
  }

  /// True if a different name changes the hash of the entity.
  ///
  /// - Parameters:
  ///   - source: the source attribute.
  ///   - hashDiffers: whether the hashed properties of the entity differ, which decides if the name is not hashed.
  /// - Returns: false for a name that is not hashed.
  func nameChangesHash(from source: AttributeDescription, hashDiffers: Bool) -> Bool {
    guard !source.isTransient, !isTransient else { return false }
    let isNameless = [source, self].allSatisfy { $0.derivation != nil || $0.type == .composite }
    return !isNameless || hashDiffers
  }
}

extension RelationshipDescription {
  /// True if a change of a setting changes the hash of the entity.
  ///
  /// - Parameters:
  ///   - source: the source relationship.
  ///   - hashesInverse: whether the hashed name of the inverse differs.
  /// - Returns: false for a setting that is not hashed.
  func changesHash(_ aspect: Aspect, from source: RelationshipDescription, hashesInverse: Bool) -> Bool {
    if aspect == .transient { return true }
    if source.isTransient || isTransient { return false }
    switch aspect {
    case .optional, .destination, .toMany, .ordered: return true
    case .inverse: return hashesInverse
    case .minCount: return HashedProperty.hashedCount(source.minCount) != HashedProperty.hashedCount(minCount)
    case .maxCount: return HashedProperty.hashedCount(source.maxCount) != HashedProperty.hashedCount(maxCount)
    case .versionHashModifier: return Aspect.differs(source.versionHashModifier, versionHashModifier)
    default: return false
    }
  }
}

extension EntityDescription {
  /// True if a change of a setting changes the hash of the entity.
  func changesHash(_ aspect: Aspect, from source: EntityDescription) -> Bool {
    switch aspect {
    case .superentity, .abstract: true
    case .uniquenessConstraints: HashedEntity.constraints(of: source) != HashedEntity.constraints(of: self)
    case .versionHashModifier: Aspect.differs(source.versionHashModifier, versionHashModifier)
    default: false
    }
  }
}

extension Aspect {
  /// True for two modifiers with different hashes.
  fileprivate static func differs(_ source: String?, _ destination: String?) -> Bool {
    HashedText(source ?? "") != HashedText(destination ?? "")
  }
}
