import ModelDescription

/// Puts functions into words.
enum FunctionWords {
  static func words(of selector: String, _ arguments: [ValueExpression]) -> String {
    let concatenated = parts(ofSum: .function(selector, arguments))
    if selector == "add:to:", concatenated.contains(where: isText) {
      return concatenated.map(ExpressionWords.operand).joined(separator: ", then ")
    }
    if selector == "now", arguments.isEmpty { return "the time of the migration" }
    if arguments.count == 2, let word = infix[selector] {
      return "\(ExpressionWords.operand(arguments[0])) \(word) \(ExpressionWords.operand(arguments[1]))"
    }
    if arguments.count == 1, let (before, after) = around[selector] {
      return before + ExpressionWords.operand(arguments[0]) + after
    }
    return arguments.isEmpty ? selector : "\(selector) of \(ExpressionWords.list(arguments, "and"))"
  }

  /// True for functions whose word stands between their arguments.
  static func isInfix(_ selector: String) -> Bool { infix[selector] != nil }

  private static let infix = [
    "add:to:": "plus", "from:subtract:": "minus", "multiply:by:": "times", "divide:by:": "divided by",
    "raise:toPower:": "to the power of", "modulus:by:": "modulo",
  ]

  private static let around: [String: (String, String)] = [
    "uppercase:": ("", " in upper case"), "lowercase:": ("", " in lower case"),
    "canonical:": ("", " without case and accents"), "length:": ("the length of ", ""),
    "abs:": ("the absolute value of ", ""), "trunc:": ("", " without its fraction"),
    "floor:": ("", " rounded down"), "ceiling:": ("", " rounded up"), "sqrt:": ("the square root of ", ""),
    "ln:": ("the natural logarithm of ", ""), "log:": ("the logarithm of ", ""), "exp:": ("e to the power of ", ""),
    "sum:": ("the sum of ", ""), "count:": ("the number of ", ""), "min:": ("the least of ", ""),
    "max:": ("the greatest of ", ""), "average:": ("the average of ", ""),
  ]

  /// The operands of a chain of additions, left to right.
  private static func parts(ofSum expression: ValueExpression) -> [ValueExpression] {
    guard case .function("add:to:", let arguments) = expression, arguments.count == 2 else { return [expression] }
    return parts(ofSum: arguments[0]) + [arguments[1]]
  }

  private static func isText(_ expression: ValueExpression) -> Bool {
    if case .constant(.string) = expression { true } else { false }
  }
}
