/// Where a destination relationship's links come from.
///
/// Links have two ends: where a relationship has no source and its inverse has one, the inverse brings the links.
public struct RelationshipMapping: Hashable, Sendable {
  /// The source relationship, nil when the destination starts without links.
  public var source: String?
  /// True when the order of an ordered relationship was lost on the way and is made anew.
  public var losesOrder: Bool
  /// True when a version on the way could hold only one object, though both ends of the way can hold many.
  public var holdsOneOnTheWay: Bool
  /// True when in a version on the way an object could be linked from one object only, though not at the ends.
  public var hasOneOwnerOnTheWay: Bool
  /// The source entities whose links a version on the way drops, though the destination could hold them.
  public var droppedDestinations: Set<String>

  /// Makes a relationship mapping.
  public init(
    source: String?,
    losesOrder: Bool = false,
    holdsOneOnTheWay: Bool = false,
    hasOneOwnerOnTheWay: Bool = false,
    droppedDestinations: Set<String> = []
  ) {
    self.source = source
    self.losesOrder = losesOrder
    self.holdsOneOnTheWay = holdsOneOnTheWay
    self.hasOneOwnerOnTheWay = hasOneOwnerOnTheWay
    self.droppedDestinations = droppedDestinations
  }

  /// The expression that leads to the same objects in a written mapping; nil leaves the relationship empty.
  public var expression: ValueExpression? { source.map { .objects(madeFromRelationship: $0) } }
}
