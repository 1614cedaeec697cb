/// Where the value of one destination property comes from.
public struct CustomPropertyMapping: Hashable, Sendable {
  /// The value's origin.
  public enum Value: Hashable, Sendable {
    /// An attribute gets its default, a relationship stays empty.
    case unset
    /// An expression over `$source` and the other variables of a migration.
    case expression(ValueExpression)
    /// SQL over the source row; a `$source.key` in it stands for the value of that key path.
    case sql(String)
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
