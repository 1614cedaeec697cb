import Foundation
import ModelDescription

/// Finds divisions by a number that is written as 0, which fail at the first row with a value.
enum ZeroDivisors {
  /// The first such division; what is nested deeper than expressions may be is left out.
  static func first(in expression: ValueExpression, depth: Int = 0) -> ValueExpression? {
    guard depth < ExpressionTyping.depthLimit else { return nil }
    if case .function("divide:by:", let arguments) = expression, isZero(arguments.last) { return expression }
    if case .function("modulus:by:", let arguments) = expression, isZero(arguments.last) { return expression }
    return expression.parts.lazy.compactMap { first(in: $0, depth: depth + 1) }.first
  }

  private static func isZero(_ expression: ValueExpression?) -> Bool {
    switch expression {
    case .constant(.integer(0)): true
    case .constant(.decimal(let value)): value == 0
    case .constant(.double(let value)): value == 0
    default: false
    }
  }
}
