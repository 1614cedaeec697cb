/// The mapping of a single destination property.
public struct PropertyMapping: Hashable, Sendable {
  /// The value's origin.
  public enum Value: Hashable, Sendable {
    /// The attribute gets its default value, or the relationship is empty.
    case unset
    /// An expression over `$source` and the other variables of a migration.
    case expression(ValueExpression)
    /// SQL over the source row; `$source.key` is the value of that key path.
    case sql(String)
    /// An attribute's inferred value.
    case attribute(AttributeMapping)
    /// A relationship's inferred objects.
    case relationship(RelationshipMapping)

    /// The expression of the value; nil for SQL, and for a property without a value.
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

  /// Creates a property mapping.
  public init(name: String, value: Value, userInfo: [String: String] = [:]) {
    (self.name, self.value, self.userInfo) = (name, value, userInfo)
  }
}

/// The origin of a destination relationship's links.
///
/// If a relationship has no source and its inverse has one, the inverse brings the links.
public struct RelationshipMapping: Hashable, Sendable {
  /// The source relationship, nil when the destination starts without links.
  public var source: String?
  /// True if the order of an ordered relationship is lost on the path and created again.
  public var losesOrder: Bool
  /// True if an intermediate version can hold only one object, and the source and the destination can hold many.
  public var holdsOneOnTheWay: Bool
  /// True if an intermediate version allows links from one object only, and the source and the destination allow more.
  public var hasOneOwnerOnTheWay: Bool
  /// The source entities whose links an intermediate version drops, although the destination could hold them.
  public var droppedDestinations: Set<String>

  /// Creates a relationship mapping.
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

  /// The expression that gives the same objects in a custom mapping; nil leaves the relationship empty.
  public var expression: ValueExpression? { source.map { .objects(madeFromRelationship: $0) } }
}
