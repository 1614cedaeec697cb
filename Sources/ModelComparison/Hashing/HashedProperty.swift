import ModelDescription

/// What of a stored property enters its hash.
enum HashedProperty: Hashable {
  case attribute(Leaf)
  case derived(expression: String, filter: String)
  case composite([Leaf])
  case relationship(Link)

  struct Leaf: Hashable {
    let name: String
    let isOptional: Bool
    let modifier: String
    let type: AttributeType
    let allowsExternalStorage: Bool
    let isPreserved: Bool
    let derivation: String
  }

  struct Link: Hashable {
    let name: String
    let isOptional: Bool
    let modifier: String
    let destination: String
    let inverse: String
    let maxCount: Int32
    let minCount: Int32
    let isOrdered: Bool
  }

  init(_ attribute: AttributeDescription) {
    if let derivation = attribute.derivation {
      self = .derived(expression: derivation.hashedExpression, filter: derivation.filterPredicate ?? "")
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
        name: relationship.name,
        isOptional: relationship.isOptional,
        modifier: relationship.versionHashModifier ?? "",
        destination: relationship.destinationEntityName ?? "",
        inverse: inverse ?? "",
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
      name: attribute.name,
      isOptional: attribute.isOptional,
      modifier: attribute.versionHashModifier ?? "",
      type: attribute.type,
      allowsExternalStorage: attribute.allowsExternalBinaryDataStorage,
      isPreserved: attribute.preservesValueInHistoryOnDeletion,
      derivation: attribute.derivation.map { $0.hashedExpression + ($0.filterPredicate ?? "") } ?? ""
    )
  }
}
