import ModelDescription

/// Hashes single properties; the names of the cases follow the sections of Core Data's byte layout.
enum PropertyHasher {
  /// The bytes that a property adds to its entity's hash.
  static func hash(_ property: HashedProperty, of entity: String) throws(ModelStructureError) -> [UInt8] {
    switch property {
    case .attribute(let value): return try hash(value, of: entity)
    case .relationship(let link): return hash(link)
    case .derived(let expression, let filter):
      var input = HashInput()
      input.append(expression.text)
      input.append(filter.text)
      return input.finish()
    case .composite(let leaves):
      var input = HashInput()
      for leaf in leaves { input.append(try hash(leaf, of: entity)) }
      return input.finish()
    }
  }

  private static func hash(_ value: HashedProperty.Value, of entity: String) throws(ModelStructureError) -> [UInt8] {
    guard let code = value.type.code else {
      throw .unrecognizedAttributeType(entity: entity, attribute: value.name.text, type: value.type.name)
    }
    var input = HashInput()
    input.append(base(value.name, isOptional: value.isOptional, modifier: value.modifier))
    input.append(code)
    if value.allowsExternalStorage { input.append(UInt8(1)) }
    if value.isPreserved { input.append(UInt8(1)) }
    return input.finish()
  }

  private static func hash(_ link: HashedProperty.Link) -> [UInt8] {
    var input = HashInput()
    input.append(base(link.name, isOptional: link.isOptional, modifier: link.modifier))
    input.append(link.destination.text)
    input.append(link.inverse.text)
    input.append(link.maxCount)
    input.append(link.minCount)
    if link.isOrdered { input.append(UInt16(1)) }
    return input.finish()
  }

  /// Only stored properties are hashed and derived attributes have a hash of their own, so of the flags
  /// (1 optional, 2 transient, 4 read-only) only the first is ever set.
  private static func base(_ name: HashedText, isOptional: Bool, modifier: HashedText) -> [UInt8] {
    var input = HashInput()
    input.append(name.text)
    input.append(UInt16(isOptional ? 1 : 0))
    input.append(modifier.text)
    return input.finish()
  }
}
