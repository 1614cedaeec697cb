/// How a derived attribute is computed from other properties.
public struct Derivation: Hashable, Sendable {
  /// The expression as the source writes it, such as `messages.@count` or `canonical:(name)`.
  public var expression: String
  /// The predicate that filters what is derived from.
  public var filterPredicate: String?

  /// Makes a derivation.
  public init(expression: String, filterPredicate: String? = nil) {
    self.expression = expression
    self.filterPredicate = filterPredicate
  }
}
