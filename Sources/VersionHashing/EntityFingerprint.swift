import ModelDescription

/// What enters an entity's version hash, taken apart so that one part can be exchanged without hashing the others
/// again.
package struct EntityFingerprint: Hashable, Sendable {
  /// A stored property with its own hash.
  package struct Property: Hashable, Sendable {
    package var name: String
    package var hash: [UInt8]

    package init(name: String, hash: [UInt8]) {
      self.name = name
      self.hash = hash
    }
  }

  package var name: String
  package var isAbstract: Bool
  package var superentity: VersionHash?
  /// All stored properties, inherited ones included, sorted by name.
  package private(set) var properties: [Property]
  package var modifier: String?
  package var constraints: [[String]]

  /// Hashes the properties of an entity.
  ///
  /// - Throws: `ModelStructureError` for an attribute of an unknown type.
  init(
    _ entity: EntityDescription, _ content: HashedEntity, superentity: VersionHash?
  ) throws(ModelStructureError) {
    name = entity.name
    isAbstract = entity.isAbstract
    self.superentity = superentity
    modifier = entity.versionHashModifier
    constraints = entity.uniquenessConstraints
    var properties: [Property] = []
    for property in content.properties {
      properties.append(
        Property(name: property.name.text, hash: try PropertyHasher.hash(property.content, of: entity.name)))
    }
    self.properties = properties
  }

  /// Takes one property out and puts another in its place, at that one's own position.
  package mutating func replaceProperty(named name: String?, with property: Property?) {
    properties.removeAll { $0.name == name || $0.name == property?.name }
    guard let property else { return }
    let position = properties.firstIndex { property.name.precedesByBytes($0.name) } ?? properties.endIndex
    properties.insert(property, at: position)
  }

  /// The version hash of these parts.
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

/// The bytes of one hash, in the order in which Core Data feeds them; numbers are little-endian.
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
