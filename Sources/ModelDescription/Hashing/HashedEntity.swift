/// The hashed settings of an entity, without the hash of its parent.
///
/// Two entities of the same name have equal hashes if and only if these settings and the hashes of their parents are equal.
package struct HashedEntity: Hashable, Sendable {
  /// A stored property with its name.
  ///
  /// The name orders properties and is not compared, because the name of a derived attribute is not hashed.
  package struct Property: Hashable, Sendable {
    package let name: HashedText
    package let content: HashedProperty

    package static func == (first: Property, second: Property) -> Bool { first.content == second.content }

    package func hash(into hasher: inout Hasher) { hasher.combine(content) }
  }

  package let name: HashedText
  package let isAbstract: Bool
  package let superentityName: HashedText?
  /// All stored properties, including inherited properties, sorted by name.
  package let properties: [Property]
  package let modifier: HashedText
  package let constraints: [HashedText]

  package init(_ entity: EntityDescription, in hierarchy: EntityHierarchy) {
    name = HashedText(entity.name)
    isAbstract = entity.isAbstract
    superentityName = entity.superentityName.map(HashedText.init)
    properties = Self.properties(of: entity, in: hierarchy)
    modifier = HashedText(entity.versionHashModifier ?? "")
    constraints = Self.constraints(of: entity)
  }

  package static func constraints(of entity: EntityDescription) -> [HashedText] {
    constraints(joining: entity.uniquenessConstraints)
  }

  /// Constraints as they are hashed: names joined by dots, sorted.
  package static func constraints(joining constraints: [[String]]) -> [HashedText] {
    constraints.map { $0.joined(separator: ".") }.filter { !$0.isEmpty }
      .sorted { $0.precedesByBytes($1) }.map(HashedText.init)
  }

  /// The stored properties of an entity: its own, and those of its ancestors that it does not declare again.
  private static func properties(of entity: EntityDescription, in hierarchy: EntityHierarchy) -> [Property] {
    let lineage = entity.superentityName == nil ? [entity] : hierarchy.lineage(of: entity.name)
    var properties: [Property] = []
    properties.reserveCapacity(entity.attributes.count + entity.relationships.count)
    var attributeNames: Set<String> = []
    var relationshipNames: Set<String> = []
    for holder in lineage {
      for attribute in holder.attributes
      where lineage.count == 1 || attributeNames.insert(attribute.name).inserted {
        guard !attribute.isTransient else { continue }
        properties.append(Property(name: HashedText(attribute.name), content: HashedProperty(attribute)))
      }
      for relationship in holder.relationships
      where lineage.count == 1 || relationshipNames.insert(relationship.name).inserted {
        guard !relationship.isTransient else { continue }
        let inverse = hierarchy.hashedInverseName(of: relationship, in: entity.name)
        properties.append(
          Property(name: HashedText(relationship.name), content: HashedProperty(relationship, inverse: inverse)))
      }
    }
    // Positions are sorted, because a property is large to move.
    return properties.indices.sorted { properties[$0].name.text.precedesByBytes(properties[$1].name.text) }
      .map { properties[$0] }
  }
}

extension EntityDescription {
  /// True if all hashed settings are copies of the other entity's, which can be decided without comparing properties.
  package func isHashedCopy(of other: EntityDescription) -> Bool {
    func isCopy<Element>(_ first: [Element], _ second: [Element]) -> Bool {
      first.count == second.count
        && first.withUnsafeBytes { first in second.withUnsafeBytes { $0.baseAddress == first.baseAddress } }
    }
    return name.hasSameBytes(as: other.name) && isAbstract == other.isAbstract
      && superentityName.map(HashedText.init) == other.superentityName.map(HashedText.init)
      && versionHashModifier.map(HashedText.init) == other.versionHashModifier.map(HashedText.init)
      && isCopy(attributes, other.attributes) && isCopy(relationships, other.relationships)
      && isCopy(uniquenessConstraints, other.uniquenessConstraints)
  }
}

/// A text as it is hashed, byte for byte: “é” as one character differs from “é” as two.
package struct HashedText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (first: HashedText, second: HashedText) -> Bool {
    first.text.hasSameBytes(as: second.text)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
