import ModelDescription

/// Hashes single properties; the names of the cases follow the sections of Core Data's byte layout.
enum PropertyHasher {
  static func hash(_ attribute: AttributeDescription, of entity: String) throws(ModelStructureError) -> [UInt8] {
    var input = HashInput()
    if let derivation = attribute.derivation {
      input.append(derivation.hashedExpression)
      if let filter = derivation.filterPredicate { input.append(filter) }
      return input.finish()
    }
    if attribute.type == .composite {
      let leaves = attribute.leaves.sorted { $0.attribute.name.utf8.lexicographicallyPrecedes($1.attribute.name.utf8) }
      for leaf in leaves { input.append(try hash(leaf.attribute, of: entity)) }
      return input.finish()
    }
    guard let code = attribute.type.code else {
      throw .unrecognizedAttributeType(entity: entity, attribute: attribute.name, type: attribute.type.name)
    }
    input.append(
      base(attribute.name, isOptional: attribute.isOptional, modifier: attribute.versionHashModifier)
    )
    input.append(code)
    if attribute.allowsExternalBinaryDataStorage { input.append(UInt8(1)) }
    if attribute.preservesValueInHistoryOnDeletion { input.append(UInt8(1)) }
    return input.finish()
  }

  /// The hash of a relationship; the counted inverse is the inverse's name, nil when it does not enter the hash.
  static func hash(_ relationship: RelationshipDescription, countedInverse: String?) -> [UInt8] {
    var input = HashInput()
    input.append(
      base(relationship.name, isOptional: relationship.isOptional, modifier: relationship.versionHashModifier)
    )
    input.append(relationship.destinationEntityName ?? "")
    if let countedInverse { input.append(countedInverse) }
    input.append(Int32(truncatingIfNeeded: relationship.maxCount == .max ? -1 : relationship.maxCount))
    input.append(Int32(truncatingIfNeeded: relationship.minCount))
    if relationship.isOrdered { input.append(UInt16(1)) }
    return input.finish()
  }

  /// Only stored properties are hashed and derived attributes have a hash of their own, so of the flags
  /// (1 optional, 2 transient, 4 read-only) only the first is ever set.
  private static func base(_ name: String, isOptional: Bool, modifier: String?) -> [UInt8] {
    var input = HashInput()
    input.append(name)
    input.append(UInt16(isOptional ? 1 : 0))
    if let modifier { input.append(modifier) }
    return input.finish()
  }
}
