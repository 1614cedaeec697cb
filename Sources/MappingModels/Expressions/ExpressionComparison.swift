/// A comparison of two expressions, as `NSComparisonPredicate` makes it.
public struct ExpressionComparison: Hashable, Sendable {
  /// The operator of a comparison.
  public enum Operator: Hashable, Sendable, CaseIterable {
    case equal
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
    case beginsWith
    case contains
    case endsWith
    case like
    case matches
    case isIn
    case between
  }

  /// The members of a collection on the left side that must fulfil the comparison.
  public enum Quantifier: Hashable, Sendable, CaseIterable {
    /// The left side is a single value.
    case direct
    case any
    case all
    case none
  }

  /// The left side.
  public var left: ValueExpression
  /// The operator.
  public var `operator`: Operator
  /// The right side.
  public var right: ValueExpression
  /// The members of the left side that must fulfil the comparison.
  public var quantifier: Quantifier
  /// `[c]`: true to ignore case.
  public var ignoresCase: Bool
  /// `[d]`: true to ignore diacritics.
  public var ignoresDiacritics: Bool

  /// Creates a comparison.
  public init(
    _ left: ValueExpression,
    _ operator: Operator,
    _ right: ValueExpression,
    quantifier: Quantifier = .direct,
    ignoresCase: Bool = false,
    ignoresDiacritics: Bool = false
  ) {
    self.left = left
    self.operator = `operator`
    (self.right, self.quantifier) = (right, quantifier)
    (self.ignoresCase, self.ignoresDiacritics) = (ignoresCase, ignoresDiacritics)
  }
}
