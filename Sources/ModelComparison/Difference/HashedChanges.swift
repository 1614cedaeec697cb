import ModelDescription

/// Which changes of a property enter the hash of its entity.
extension AttributeDescription {
  /// True when a change of a setting gives the entity another hash.
  func changesHash(_ aspect: Aspect, from source: AttributeDescription) -> Bool {
    if aspect == .transient { return true }
    if source.isTransient || isTransient { return false }
    // Of a derived or composite attribute little else is hashed than what makes it one.
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

  /// True when another name gives the entity another hash.
  ///
  /// - Parameters:
  ///   - source: the attribute before.
  ///   - hashDiffers: whether the hashed properties of the entity differ, which decides where the name is not hashed.
  /// - Returns: false for a name that enters no hash.
  func nameChangesHash(from source: AttributeDescription, hashDiffers: Bool) -> Bool {
    guard !source.isTransient, !isTransient else { return false }
    let isNameless = [source, self].allSatisfy { $0.derivation != nil || $0.type == .composite }
    return !isNameless || hashDiffers
  }
}

extension RelationshipDescription {
  /// True when a change of a setting gives the entity another hash.
  ///
  /// - Parameters:
  ///   - source: the relationship before.
  ///   - hashesInverse: whether the inverse's hashed name differs.
  /// - Returns: false for a setting that enters no hash.
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
  /// True when a change of a setting gives the entity another hash.
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
  /// True for two modifiers that are not hashed alike.
  fileprivate static func differs(_ source: String?, _ destination: String?) -> Bool {
    HashedText(source ?? "") != HashedText(destination ?? "")
  }
}
