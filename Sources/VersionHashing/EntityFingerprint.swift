import ModelDescription

/// The parts of an entity's version hash, so that one part can be replaced without hashing the rest again.
package struct EntityFingerprint: Hashable, Sendable {
  /// A stored property with its own hash.
  package struct Property: Hashable, Sendable {
    package var name: String
    package var hash: [UInt8]

    package init(name: String, hash: [UInt8]) { (self.name, self.hash) = (name, hash) }
  }

  package var name: String
  package var isAbstract: Bool
  package var superentity: VersionHash?
  /// All stored properties, including inherited properties, sorted by name.
  package private(set) var properties: [Property]
  package var modifier: String?
  package var constraints: [[String]]

  /// Hashes the properties of an entity.
  ///
  /// - Parameter known: the earlier parts of an entity of this name, whose equal properties are not hashed again.
  init(
    _ entity: EntityDescription, _ content: HashedEntity, superentity: VersionHash?,
    known: (content: HashedEntity, fingerprint: EntityFingerprint)? = nil
  ) throws(ModelStructureError) {
    name = entity.name
    isAbstract = entity.isAbstract
    self.superentity = superentity
    modifier = entity.versionHashModifier
    constraints = entity.uniquenessConstraints
    var properties: [Property] = []
    let others = known?.content.properties ?? []
    // Both are sorted by name.
    var next = 0
    for property in content.properties {
      while next < others.count, others[next].name.text.precedesByBytes(property.name.text) { next += 1 }
      if next < others.count, others[next] == property, let hash = known?.fingerprint.properties[next].hash {
        properties.append(Property(name: property.name.text, hash: hash))
      } else {
        let hash = try PropertyHasher.hash(property.content, of: entity.name)
        properties.append(Property(name: property.name.text, hash: hash))
      }
    }
    self.properties = properties
  }

  /// Replaces a property with a different property, at the sorted position of the new property.
  package mutating func replaceProperty(named name: String?, with property: Property?) {
    properties.removeAll { $0.name == name || $0.name == property?.name }
    guard let property else { return }
    let position = properties.firstIndex { property.name.precedesByBytes($0.name) } ?? properties.endIndex
    properties.insert(property, at: position)
  }

  package var hash: VersionHash? {
    var input = HashInput(capacity: 128 + 32 * properties.count)
    input.append(name)
    input.append(UInt8(isAbstract ? 1 : 0))
    if let superentity { input.append(superentity.bytes) }
    for property in properties { input.append(property.hash) }
    if let modifier { input.append(modifier) }
    for constraint in HashedEntity.constraints(joining: constraints) { input.append(constraint.text) }
    return VersionHash(input.finish())
  }
}

/// The bytes of a hash in Core Data's order; numbers are little-endian.
struct HashInput {
  private var bytes: [UInt8] = []

  init(capacity: Int = 128) { bytes.reserveCapacity(capacity) }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func append(_ hash: [UInt8]) { bytes.append(contentsOf: hash) }
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  func finish() -> [UInt8] { bytes.withUnsafeBytes { SHA2.digest256(of: $0) } }
}

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

  /// The flags of a property: 1 optional, 2 transient, 4 read-only.
  ///
  /// Only the first is ever set, because only stored properties are hashed and derived attributes have their own hash.
  private static func base(_ name: HashedText, isOptional: Bool, modifier: HashedText) -> [UInt8] {
    var input = HashInput()
    input.append(name.text)
    input.append(UInt16(isOptional ? 1 : 0))
    input.append(modifier.text)
    return input.finish()
  }
}
