/// Puts comparisons into words.
enum ComparisonWords {
  static func words(of comparison: ExpressionComparison) -> String {
    let left = ExpressionWords.operand(comparison.left)
    let subject =
      switch comparison.quantifier {
      case .direct: left
      case .any: "any \(left)"
      case .all: "every \(left)"
      case .none: "no \(left)"
      }
    return "\(subject) \(predicate(of: comparison))\(manner(of: comparison))"
  }

  private static func predicate(of comparison: ExpressionComparison) -> String {
    switch (comparison.operator, comparison.right) {
    case (.equal, .null): return "is empty"
    case (.notEqual, .null): return "is not empty"
    case (.between, .collection(let bounds)) where bounds.count == 2:
      return "is between \(ExpressionWords.list(bounds, "and"))"
    case (.isIn, .collection(let members)) where !members.isEmpty:
      return "is one of \(ExpressionWords.list(members, "or"))"
    default: return "\(verbs[comparison.operator] ?? "is") \(ExpressionWords.operand(comparison.right))"
    }
  }

  private static let verbs: [ExpressionComparison.Operator: String] = [
    .equal: "is", .notEqual: "is not", .less: "is less than", .lessOrEqual: "is at most",
    .greater: "is greater than", .greaterOrEqual: "is at least", .beginsWith: "begins with", .contains: "contains",
    .endsWith: "ends with", .like: "is like", .matches: "matches", .isIn: "is one of", .between: "is between",
  ]

  private static func manner(of comparison: ExpressionComparison) -> String {
    switch (comparison.ignoresCase, comparison.ignoresDiacritics) {
    case (true, true): ", ignoring case and accents"
    case (true, false): ", ignoring case"
    case (false, true): ", ignoring accents"
    case (false, false): ""
    }
  }
}
