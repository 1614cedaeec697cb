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
    self.name = name
    self.value = value
    self.userInfo = userInfo
  }
}
