extension ValueExpression {
  /// The expression for a message, cut where it is long; what is too deep to be sound is not written at all.
  package var shortText: String {
    guard !isDeeper(than: 2 * ExpressionTyping.depthLimit) else { return "an expression" }
    let text = description
    return text.count > 160 ? text.prefix(160) + "…" : text
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
    case .fetch(let request, let context, _): [request, context]
    }
  }
}
