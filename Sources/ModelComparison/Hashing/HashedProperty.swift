import ModelDescription

/// What of a stored property enters its hash.
enum HashedProperty: Hashable {
  case attribute(Leaf)
  case derived(expression: HashedText, filter: HashedText)
  case composite([Leaf])
  case relationship(Link)

  struct Leaf: Hashable {
    let name: HashedText
    let isOptional: Bool
    let modifier: HashedText
    let type: AttributeType
    let allowsExternalStorage: Bool
    let isPreserved: Bool
    let derivation: HashedText
  }

  struct Link: Hashable {
    let name: HashedText
    let isOptional: Bool
    let modifier: HashedText
    let destination: HashedText
    let inverse: HashedText
    let maxCount: Int32
    let minCount: Int32
    let isOrdered: Bool
  }

  init(_ attribute: AttributeDescription) {
    if let derivation = attribute.derivation {
      self = .derived(
        expression: HashedText(derivation.hashedExpression), filter: HashedText(derivation.filterPredicate ?? ""))
    } else if attribute.type == .composite {
      let leaves = attribute.leaves.map(\.attribute)
      self = .composite(
        leaves.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map(Self.leaf)
      )
    } else {
      self = .attribute(Self.leaf(attribute))
    }
  }

  init(_ relationship: RelationshipDescription, inverse: String?) {
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

  /// A count as it is hashed: 32 bits, and the greatest number in code is -1.
  static func hashedCount(_ count: Int) -> Int32 {
    count == .max ? -1 : Int32(truncatingIfNeeded: count)
  }

  private static func leaf(_ attribute: AttributeDescription) -> Leaf {
    Leaf(
      name: HashedText(attribute.name),
      isOptional: attribute.isOptional,
      modifier: HashedText(attribute.versionHashModifier ?? ""),
      type: attribute.type,
      allowsExternalStorage: attribute.allowsExternalBinaryDataStorage,
      isPreserved: attribute.preservesValueInHistoryOnDeletion,
      derivation: HashedText(attribute.derivation.map { $0.hashedExpression + ($0.filterPredicate ?? "") } ?? "")
    )
  }
}
