import ModelDescription

/// What of an entity decides whether inference can map it: equal shapes are looked at once.
struct EntityShape: Hashable, Sendable {
  /// An attribute as far as inference can fail for it.
  struct Attribute: Hashable, Sendable {
    let name: String
    let identifier: String?
    let type: AttributeType
    let isTransient: Bool
    let elements: [Attribute]

    /// The names by which another property can claim it, and by which it claims one.
    fileprivate var claims: Set<String> { Set([name, identifier].compactMap(\.self)) }

    init(_ attribute: AttributeDescription) {
      name = attribute.name
      identifier = attribute.renamingIdentifier
      type = attribute.type
      isTransient = attribute.isTransient
      elements = attribute.elements.map(Attribute.init)
    }
  }

  /// A relationship as far as inference can fail for it.
  struct Relationship: Hashable, Sendable {
    let name: String
    let identifier: String?

    fileprivate var claims: Set<String> { Set([name, identifier].compactMap(\.self)) }
  }

  /// Its own and inherited attributes as they are declared, nearest first, those that an override hides included.
  let attributes: [Attribute]
  /// Its own and inherited relationships, likewise.
  let relationships: [Relationship]
  /// True for an abstract entity whose sub-entities have the rows, for which types do not matter.
  let hasOnlySubentities: Bool

  /// True when some property is paired by another name than its own.
  private var hasIdentifiers: Bool {
    attributes.contains { $0.identifier != nil } || relationships.contains { $0.identifier != nil }
  }

  /// True where it is plain that one shape is inferred from another: names alone pair the properties, or identifiers
  /// pair only equal ones, and none of the attributes that both have differs.
  func follows(_ source: EntityShape) -> Bool {
    guard !hasIdentifiers, !source.hasIdentifiers else {
      return Self.pairsEqualOnes(attributes, with: source.attributes, by: \.claims)
        && Self.pairsEqualOnes(relationships, with: source.relationships, by: \.claims)
    }
    if attributes == source.attributes { return true }
    let changed = Set(attributes).subtracting(source.attributes)
    let names = Set(source.attributes.map(\.name))
    return names.count == source.attributes.count && changed.allSatisfy { !names.contains($0.name) }
  }

  /// True where each property is equal to one of the source or claims none of it, and no claim is made twice.
  private static func pairsEqualOnes<Property: Hashable>(
    _ properties: [Property], with sources: [Property], by claims: (Property) -> Set<String>
  ) -> Bool {
    guard let sourceClaims = distinct(sources.map(claims)), distinct(properties.map(claims)) != nil else {
      return false
    }
    let known = Set(sources)
    return properties.allSatisfy { known.contains($0) || claims($0).isDisjoint(with: sourceClaims) }
  }

  /// All these names; nil when two properties have one, or when one may be spelled in two ways.
  private static func distinct(_ claims: [Set<String>]) -> Set<String>? {
    var names: Set<String> = []
    for name in claims.joined() {
      guard name.utf8.allSatisfy({ $0 < 0x80 }), names.insert(name).inserted else { return nil }
    }
    return names
  }

  /// The shape of an entity with everything it inherits.
  init(_ entity: EntityDescription, in hierarchy: EntityHierarchy) {
    let lineage = hierarchy.lineage(of: entity.name)
    attributes = lineage.flatMap { $0.attributes.map(Attribute.init) }
    relationships = lineage.flatMap { member in
      member.relationships.map { Relationship(name: $0.name, identifier: $0.renamingIdentifier) }
    }
    hasOnlySubentities = hierarchy.hasOnlySubentities(entity.name)
  }
}

extension EntityHierarchy {
  /// True for an abstract entity whose sub-entities have the rows, and so the say about conversions.
  func hasOnlySubentities(_ entity: String) -> Bool {
    self.entity(named: entity)?.isAbstract == true && family(of: entity).contains { !$0.isAbstract }
  }
}
