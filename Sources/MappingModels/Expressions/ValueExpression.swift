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
  /// `SUBQUERY(collection, $variable, condition)`: the members for which the condition holds, in which the variable
  /// stands for the member.
  case subquery(of: ValueExpression, variable: String, where: ValueExpression)
  /// `FETCH(request, context, countsOnly)`.
  case fetch(request: ValueExpression, context: ValueExpression, countsOnly: Bool)
}

extension ValueExpression {
  /// The expression for a message, cut where it is long; what is too deep to be sound is not written at all.
  package var shortText: String {
    guard !isDeeper(than: 2 * ExpressionTyping.depthLimit) else { return "an expression" }
    let text = description
    return text.count > 160 ? text.prefix(160) + "…" : text
  }

  /// The variables that no `SUBQUERY` around them names.
  package var freeVariables: Set<String> {
    switch self {
    case .variable(let name): [name]
    case .subquery(let collection, let variable, let condition):
      collection.freeVariables.union(condition.freeVariables.subtracting([variable]))
    default: parts.reduce(into: []) { $0.formUnion($1.freeVariables) }
    }
  }

  /// How many levels the expression has, one more than the limit of reading where it is deeper than that.
  var depth: Int { depth(atMost: Self.depthLimit + 1) }

  private func depth(atMost limit: Int) -> Int {
    limit <= 1 ? 1 : 1 + (parts.map { $0.depth(atMost: limit - 1) }.max() ?? 0)
  }

  private func isDeeper(than limit: Int) -> Bool {
    guard limit > 0 else { return true }
    return parts.contains { $0.isDeeper(than: limit - 1) }
  }

  /// The expressions that stand directly in this one.
  package var parts: [ValueExpression] {
    switch self {
    case .null, .constant, .selfObject, .variable, .truth: []
    case .keyPath(_, let base): [base]
    case .function(_, let arguments): arguments
    case .invocation(let target, _, let arguments): [target] + arguments
    case .comparison(let comparison): [comparison.left, comparison.right]
    case .conjunction(let parts), .disjunction(let parts), .collection(let parts): parts
    case .negation(let part), .cast(let part, _): [part]
    case .conditional(let condition, let value, let other): [condition, value, other]
    case .subquery(let collection, _, let condition): [collection, condition]
    case .fetch(let request, let context, _): [request, context]
    }
  }
}
