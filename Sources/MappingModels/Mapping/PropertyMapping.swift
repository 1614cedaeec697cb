/// Where the value of one destination property comes from.
public struct PropertyMapping: Hashable, Sendable {
  /// The value's origin.
  public enum Value: Hashable, Sendable {
    /// An attribute gets its default, a relationship stays empty.
    case unset
    /// An expression over `$source` and the other variables of a migration.
    case expression(ValueExpression)
    /// SQL over the source row; a `$source.key` in it stands for the value of that key path.
    case sql(String)
    /// An attribute's value as inference says.
    case attribute(AttributeMapping)
    /// A relationship's objects as inference says.
    case relationship(RelationshipMapping)

    /// The expression that gives the value, nil for SQL and for what is left at its default.
    public var expression: ValueExpression? {
      switch self {
      case .unset, .sql: nil
      case .expression(let expression): expression
      case .attribute(let mapping): mapping.expression
      case .relationship(let mapping): mapping.expression
      }
    }
  }

  /// The destination property; for an element of a composite attribute its path, joined by dots.
  public var name: String
  /// The value's origin.
  public var value: Value
  /// The developer's own entries.
  public var userInfo: [String: String]

  /// Makes a property mapping.
  public init(name: String, value: Value, userInfo: [String: String] = [:]) {
    (self.name, self.value, self.userInfo) = (name, value, userInfo)
  }
}

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
    (self.source, self.losesOrder, self.holdsOneOnTheWay) = (source, losesOrder, holdsOneOnTheWay)
    (self.hasOneOwnerOnTheWay, self.droppedDestinations) = (hasOneOwnerOnTheWay, droppedDestinations)
  }

  /// The expression that leads to the same objects in a written mapping; nil leaves the relationship empty.
  public var expression: ValueExpression? { source.map { .objects(madeFromRelationship: $0) } }
}
