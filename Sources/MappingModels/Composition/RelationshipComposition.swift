import ModelDescription

/// What is lost of one relationship's links on the way through a version between.
struct RelationshipComposition {
  let first: RelationshipMapping
  let second: RelationshipMapping
  let source: RelationshipDescription
  let between: RelationshipDescription
  let last: RelationshipDescription
  /// True when a version between allows one owner of an object and neither end does.
  let hasOneOwnerBetween: Bool

  /// What only the ends can show is not repeated: the flags speak of versions on the way alone.
  func mapping(from name: String, dropped: Set<String>) -> RelationshipMapping {
    let isOrderedAtEnds = source.isToMany && source.isOrdered && last.isToMany && last.isOrdered
    let isToManyAtEnds = source.isToMany && last.isToMany
    return RelationshipMapping(
      source: name,
      losesOrder: isOrderedAtEnds && (!between.keepsOrder || first.losesOrder || second.losesOrder),
      holdsOneOnTheWay: isToManyAtEnds && (!between.isToMany || first.holdsOneOnTheWay || second.holdsOneOnTheWay),
      hasOneOwnerOnTheWay: hasOneOwnerBetween,
      droppedDestinations: dropped
    )
  }
}

extension RelationshipDescription {
  /// True when an order survives in it, as it does among one object.
  var keepsOrder: Bool { !isToMany || isOrdered }
}

extension AttributeMapping {
  /// The mapping that begins where those of an earlier hop begin.
  func following(_ earlier: EntityMapping) -> AttributeMapping {
    guard case .source(let path) = origin else { return self }
    guard let first = earlier.attribute(path) else { return AttributeMapping(origin: .constant(nil), steps: steps) }
    return AttributeMapping(origin: first.origin, steps: first.steps + steps)
  }
}
