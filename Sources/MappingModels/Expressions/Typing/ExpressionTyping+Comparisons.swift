import Foundation
import ModelDescription

extension ExpressionTyping {
  func comparison(
    _ comparison: ExpressionComparison, _ expression: ValueExpression, _ depth: Int
  ) throws(ExpressionTypeError) -> ExpressionType {
    if comparison.operator == .contains, comparison.quantifier == .direct {
      try containment(comparison, expression, depth)
      return .truth
    }
    let left =
      comparison.quantifier == .direct
      ? try scalar(comparison.left, depth) : try member(comparison.left, depth)
    switch comparison.operator {
    case .isIn:
      let right = try type(of: comparison.right, depth: depth)
      if left.isText, right.isText {
        try compare(left, right, comparison, expression)
      } else {
        try compare(left, member(comparison.right, depth), comparison, expression)
      }
    case .between:
      guard case .collection(let bounds) = comparison.right else {
        let found = try type(of: comparison.right, depth: depth)
        throw fail(comparison.right, .argument("BETWEEN", expected: "a list of two bounds", found: found))
      }
      guard bounds.count == 2 else {
        throw fail(comparison.right, .argumentCount("BETWEEN", expected: "two bounds", found: bounds.count))
      }
      for bound in bounds { try compare(left, scalar(bound, depth), comparison, expression) }
    default: try compare(left, scalar(comparison.right, depth), comparison, expression)
    }
    if comparison.operator == .matches, case .constant(.string(let pattern)) = comparison.right {
      try check(pattern: pattern, comparison.right)
    }
    return .truth
  }

  /// A comparison with the meaning it is evaluated by: `collection CONTAINS x` is `x IN collection`.
  package func meaning(of comparison: ExpressionComparison) throws(ExpressionTypeError) -> ExpressionComparison {
    guard comparison.operator == .contains, comparison.quantifier == .direct else { return comparison }
    guard try type(of: comparison.left).isCollection else { return comparison }
    return ExpressionComparison(
      comparison.right, .isIn, comparison.left, ignoresCase: comparison.ignoresCase,
      ignoresDiacritics: comparison.ignoresDiacritics)
  }

  /// Checks `CONTAINS` of a text, or of a collection.
  private func containment(
    _ comparison: ExpressionComparison, _ expression: ValueExpression, _ depth: Int
  ) throws(ExpressionTypeError) {
    let left = try type(of: comparison.left, depth: depth)
    if case .destinationObjects = left { throw fail(comparison.left, .misplacedLookup) }
    let right = try scalar(comparison.right, depth)
    guard left.isCollection else { return try compare(left, right, comparison, expression) }
    guard areComparable(right, try member(left, comparison.left), .isIn) else {
      throw fail(expression, .incomparable(left, right, how: comparison.operator.symbol))
    }
  }

  private func member(_ expression: ValueExpression, _ depth: Int) throws(ExpressionTypeError) -> ExpressionType {
    try member(type(of: expression, depth: depth), expression)
  }

  private func member(
    _ found: ExpressionType, _ expression: ValueExpression
  ) throws(ExpressionTypeError) -> ExpressionType {
    switch found {
    case .values(.undefined): return .null
    case .values(let type): return .value(type)
    case .objects(let entity, _), .nested(let entity): return .object(entity: entity)
    case .null, .unknown: return found
    default: throw fail(expression, .argument("IN, ANY, ALL or NONE", expected: "a collection", found: found))
    }
  }

  private func compare(
    _ left: ExpressionType, _ right: ExpressionType, _ comparison: ExpressionComparison, _ expression: ValueExpression
  ) throws(ExpressionTypeError) {
    guard !areComparable(left, right, comparison.operator) else { return }
    throw fail(expression, .incomparable(left, right, how: comparison.operator.symbol))
  }

  private func areComparable(
    _ left: ExpressionType, _ right: ExpressionType, _ how: ExpressionComparison.Operator
  ) -> Bool {
    switch how {
    case .beginsWith, .contains, .endsWith, .like, .matches: return left.isText && right.isText
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
      return left.isNumber && right.isNumber || left.isText && right.isText
        || left.isOneOf(.date) && right.isOneOf(.date)
    case .equal, .notEqual, .isIn: break
    }
    switch (left, right) {
    case (.null, _), (_, .null), (.unknown, _), (_, .unknown): return true
    case (.object(let one), .object(let other)): return areRelatedByRoot(one, other)
    case (.value(let one), .value(let other)) where one == other: return one != .transformable
    default: return left.isNumber && right.isNumber
    }
  }

  private func areRelatedByRoot(_ first: String, _ second: String) -> Bool {
    source.rootName(of: first) == source.rootName(of: second)
  }

  /// Checks a constant pattern before the migration starts.
  private func check(pattern: String, _ expression: ValueExpression) throws(ExpressionTypeError) {
    do {
      if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern) }
      _ = try NSRegularExpression(pattern: WholeTextPattern.around(pattern))
    } catch {
      throw fail(expression, .invalidPattern(detail: "ICU does not read it"))
    }
  }
}

/// A regular expression that matches the complete text, as that of `MATCHES` does.
package enum WholeTextPattern {
  /// Returns the pattern, anchored to both ends of the text.
  ///
  /// The pattern must also be valid by itself, so that its parentheses cannot close the parentheses around it.
  package static func around(_ pattern: String) -> String { "\\A(?:\(pattern))\\z" }
}
