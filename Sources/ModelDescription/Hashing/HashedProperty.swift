/// The hashed settings of a stored property.
package enum HashedProperty: Hashable, Sendable {
  case attribute(Value)
  case derived(expression: HashedText, filter: HashedText)
  /// The leaves of a composite attribute, sorted by their names.
  case composite([HashedProperty])
  case relationship(Link)

  package struct Value: Hashable, Sendable {
    package let name: HashedText
    package let isOptional: Bool
    package let modifier: HashedText
    package let type: AttributeType
    package let allowsExternalStorage: Bool
    package let isPreserved: Bool
  }

  package struct Link: Hashable, Sendable {
    package let name: HashedText
    package let isOptional: Bool
    package let modifier: HashedText
    package let destination: HashedText
    package let inverse: HashedText
    package let maxCount: Int32
    package let minCount: Int32
    package let isOrdered: Bool
  }

  package init(_ attribute: AttributeDescription) {
    if let derivation = attribute.derivation {
      self = .derived(
        expression: HashedText(derivation.hashedExpression), filter: HashedText(derivation.filterPredicate ?? ""))
    } else if attribute.type == .composite {
      let leaves = attribute.leaves.map(\.attribute)
      self = .composite(leaves.sorted { $0.name.precedesByBytes($1.name) }.map(HashedProperty.init))
    } else {
      self = .attribute(
        Value(
          name: HashedText(attribute.name),
          isOptional: attribute.isOptional,
          modifier: HashedText(attribute.versionHashModifier ?? ""),
          type: attribute.type,
          allowsExternalStorage: attribute.allowsExternalBinaryDataStorage,
          isPreserved: attribute.preservesValueInHistoryOnDeletion))
    }
  }

  package init(_ relationship: RelationshipDescription, inverse: String?) {
    self = .relationship(
      Link(
        name: HashedText(relationship.name),
        isOptional: relationship.isOptional,
        modifier: HashedText(relationship.versionHashModifier ?? ""),
        destination: HashedText(relationship.destinationEntityName ?? ""),
        inverse: HashedText(inverse ?? ""),
        maxCount: Self.hashedCount(relationship.maxCount),
        minCount: Self.hashedCount(relationship.minCount),
        isOrdered: relationship.isOrdered
      )
    )
  }

  /// A count as it is hashed: 32 bits, in which the maximum integer in code is -1.
  package static func hashedCount(_ count: Int) -> Int32 { count == .max ? -1 : Int32(truncatingIfNeeded: count) }
}

extension EntityHierarchy {
  /// The hashed name of a relationship's inverse; nil if it is not hashed.
  ///
  /// It is not hashed if there is no inverse, or if the topmost declaration of the relationship is its own inverse.
  package func hashedInverseName(of relationship: RelationshipDescription, in entity: String) -> String? {
    guard let inverse = relationship.inverseName, !inverse.isEmpty else { return nil }
    var (declaration, declaringEntity) = (relationship, entity)
    if superentity(of: entity) != nil {
      for ancestor in lineage(of: entity).dropFirst() {
        guard let inherited = ancestor.relationships.first(where: { $0.name == relationship.name }) else { continue }
        (declaration, declaringEntity) = (inherited, ancestor.name)
      }
    }
    let isOwnInverse =
      declaration.inverseName == declaration.name && declaration.destinationEntityName == declaringEntity
    return isOwnInverse ? nil : inverse
  }
}
