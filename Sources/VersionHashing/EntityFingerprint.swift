package import ModelDescription

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

  init(_ entity: EntityDescription, superentity: VersionHash?, properties: [Property]) {
    name = entity.name
    isAbstract = entity.isAbstract
    self.superentity = superentity
    self.properties = properties.sorted { Self.isOrdered($0.name, before: $1.name) }
    modifier = entity.versionHashModifier
    constraints = entity.uniquenessConstraints
  }

  /// Takes one property out and puts another in its place, at that one's own position.
  package mutating func replaceProperty(named name: String?, with property: Property?) {
    properties.removeAll { $0.name == name || $0.name == property?.name }
    guard let property else { return }
    let position = properties.firstIndex { Self.isOrdered(property.name, before: $0.name) } ?? properties.endIndex
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
    let joined = constraints.map { $0.joined(separator: ".") }.filter { !$0.isEmpty }
    for constraint in joined.sorted(by: Self.isOrdered) { input.append(constraint) }
    return VersionHash(input.finish())
  }

  private static func isOrdered(_ first: String, before second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }
}

extension EntityHasher {
  /// The parts of an entity's hash.
  ///
  /// - Parameters:
  ///   - name: the entity.
  ///   - superentity: its parent's hash, which need not be the one that this model gives it.
  /// - Returns: nil when the model has no entity of that name.
  /// - Throws: `ModelStructureError`.
  package func fingerprint(
    of name: String, superentity: VersionHash?
  ) throws(ModelStructureError) -> EntityFingerprint? {
    guard let entity = hierarchy.entity(named: name) else { return nil }
    return EntityFingerprint(entity, superentity: superentity, properties: try storedProperties(of: name))
  }

  /// The hash of an attribute, nil when its type has none.
  package func hash(of attribute: AttributeDescription, in entity: String) -> [UInt8]? {
    try? PropertyHasher.hash(attribute, of: entity)
  }

  /// The hash of a relationship as an entity would declare it.
  package func hash(of relationship: RelationshipDescription, in entity: String) -> [UInt8] {
    PropertyHasher.hash(relationship, countedInverse: hierarchy.hashedInverseName(of: relationship, in: entity))
  }
}
