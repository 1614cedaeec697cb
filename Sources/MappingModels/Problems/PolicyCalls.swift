/// Finds the functions of a policy that an expression calls.
enum PolicyCalls {
  /// The selectors, each once, in the order they stand in; what is nested deeper than expressions may be is left out.
  static func selectors(in expression: ValueExpression) -> [String] {
    var found: [String] = []
    collect(expression, depth: 0, into: &found)
    return found
  }

  private static func collect(_ expression: ValueExpression, depth: Int, into found: inout [String]) {
    guard depth < ExpressionTyping.depthLimit else { return }
    if case .invocation(.variable("entityPolicy"), let selector, _) = expression, !found.contains(selector) {
      found.append(selector)
    }
    for part in parts(of: expression) { collect(part, depth: depth + 1, into: &found) }
  }

  private static func parts(of expression: ValueExpression) -> [ValueExpression] {
    switch expression {
    case .null, .constant, .selfObject, .variable, .truth: []
    case .keyPath(_, let base): [base]
    case .function(_, let arguments): arguments
    case .invocation(let target, _, let arguments): [target] + arguments
    case .comparison(let comparison): [comparison.left, comparison.right]
    case .conjunction(let parts), .disjunction(let parts), .collection(let parts): parts
    case .negation(let part), .cast(let part, _): [part]
    case .conditional(let condition, let value, let other): [condition, value, other]
    case .fetch(let request, let context, _): [request, context]
    }
  }
}
