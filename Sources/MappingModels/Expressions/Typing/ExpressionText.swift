import ModelDescription

/// The text of a part of an expression for a message.
struct ExpressionText {
  let text: String

  init(_ expression: ValueExpression) {
    text = String(Self.text(expression, depth: 0).prefix(200))
  }

  private static func text(_ expression: ValueExpression, depth: Int) -> String {
    guard depth < 8 else { return "…" }
    func inner(_ part: ValueExpression) -> String { text(part, depth: depth + 1) }
    func list(_ parts: [ValueExpression], _ separator: String = ", ") -> String {
      parts.prefix(16).map(inner).joined(separator: separator)
    }
    switch expression {
    case .null: return "nil"
    case .constant(let value): return "\(value)"
    case .selfObject: return "SELF"
    case .variable(let name): return "$\(name)"
    case .keyPath(let keys, .selfObject): return keys.joined(separator: ".")
    case .keyPath(let keys, let base): return "\(inner(base)).\(keys.joined(separator: "."))"
    case .function(let name, let arguments): return "\(name)(\(list(arguments)))"
    case .invocation(let target, let selector, let arguments):
      return "FUNCTION(\(([inner(target), "\"\(selector)\""] + arguments.prefix(16).map(inner)).joined(separator: ", ")))"
    case .comparison(let comparison):
      return "\(inner(comparison.left)) \(comparison.operator) \(inner(comparison.right))"
    case .conjunction(let parts): return "(\(list(parts, " AND ")))"
    case .disjunction(let parts): return "(\(list(parts, " OR ")))"
    case .negation(let part): return "NOT \(inner(part))"
    case .truth(let isTrue): return isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .conditional(let condition, let value, let other):
      return "TERNARY(\(inner(condition)), \(inner(value)), \(inner(other)))"
    case .cast(let value, let type): return "CAST(\(inner(value)), \"\(type)\")"
    case .collection(let parts): return "{\(list(parts))}"
    case .fetch: return "FETCH(…)"
    }
  }
}

extension ValueExpression {
  /// The expression for a message, cut where it is long.
  package var shortText: String { ExpressionText(self).text }
}
