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
    for part in expression.parts { collect(part, depth: depth + 1, into: &found) }
  }
}
