public import ModelDescription

/// An expression of a mapping model: what `NSExpression` and `NSPredicate` can say, as one tree.
///
/// Operators of arithmetic are the functions that `NSExpression` makes of them: `a + b` is `add:to:`.
public indirect enum ValueExpression: Hashable, Sendable {
  /// `nil`, no value.
  case null
  /// A value as written.
  case constant(AttributeValue)
  /// `SELF`, or what a key path without an operand starts from.
  case selfObject
  /// A variable such as `$source`, without its dollar sign.
  case variable(String)
  /// Keys followed from an object or a collection; a key that begins with `@` is a collection operator.
  case keyPath([String], of: ValueExpression)
  /// A built-in function by its selector, such as `uppercase:`, `add:to:` or `now`.
  case function(String, [ValueExpression])
  /// `FUNCTION(target, "selector", …)`: a method of an object of the migration.
  case invocation(of: ValueExpression, selector: String, arguments: [ValueExpression])
  /// Two values compared.
  case comparison(ExpressionComparison)
  /// `AND`: true when every part is.
  case conjunction([ValueExpression])
  /// `OR`: true when a part is.
  case disjunction([ValueExpression])
  /// `NOT`.
  case negation(ValueExpression)
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case truth(Bool)
  /// `TERNARY(condition, value, other)`.
  case conditional(ValueExpression, then: ValueExpression, else: ValueExpression)
  /// `CAST(value, "type")`.
  case cast(ValueExpression, to: String)
  /// `{a, b}`.
  case collection([ValueExpression])
  /// `FETCH(request, context, countsOnly)`.
  case fetch(request: ValueExpression, context: ValueExpression, countsOnly: Bool)
}
