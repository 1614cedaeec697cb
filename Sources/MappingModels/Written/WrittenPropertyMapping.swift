/// What is written about one destination property.
public struct WrittenPropertyMapping: Hashable, Sendable {
  /// Where the value comes from.
  public enum Value: Hashable, Sendable {
    /// As inference says; written for the sake of its user info.
    case inferred
    /// The mapping does not list the property; Core Data leaves it at its default.
    case omitted
    /// An attribute gets its default, a relationship stays empty.
    case unset
    /// An expression.
    case expression(ValueExpression)
    /// SQL over the source row.
    case sql(String)
    /// A relationship's objects: those that the named entity mapping makes of source objects; nil takes the source
    /// relationship that the property continues.
    case made(by: String, from: ValueExpression?)
    /// A relationship's objects: those made of the source objects at a key path, by the one mapping that makes them.
    case madeFrom(ValueExpression)
  }

  /// The destination property; for an element of a composite attribute its path, joined by dots.
  public var name: String
  /// Where the value comes from.
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
