/// A comparison of two expressions, as `NSComparisonPredicate` makes it.
public struct ExpressionComparison: Hashable, Sendable {
  /// How two values are compared.
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

  /// Which members of a collection on the left are asked.
  public enum Quantifier: Hashable, Sendable, CaseIterable {
    /// The left side is one value.
    case direct
    case any
    case all
    case none
  }

  /// The left side.
  public var left: ValueExpression
  /// How they are compared.
  public var `operator`: Operator
  /// The right side.
  public var right: ValueExpression
  /// Which members of the left side are asked.
  public var quantifier: Quantifier
  /// `[c]`: true to ignore case.
  public var ignoresCase: Bool
  /// `[d]`: true to ignore diacritics.
  public var ignoresDiacritics: Bool

  /// Makes a comparison.
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
