/// A built-in function of `NSExpression`: its selector and how many arguments it takes.
package struct ExpressionFunction: Hashable, Sendable {
  /// The selector, such as `multiply:by:`.
  package let selector: String
  /// How many arguments it takes.
  package let argumentCount: Int

  /// Every built-in function, by selector.
  package static let all: [ExpressionFunction] =
    [
      "average:", "sum:", "count:", "min:", "max:", "median:", "mode:", "stddev:", "sqrt:", "log:", "ln:", "exp:",
      "floor:", "ceiling:", "abs:", "trunc:", "uppercase:", "lowercase:", "canonical:", "length:", "random:",
      "randomn:", "noindex:", "onesComplement:", "now", "random", "add:to:", "from:subtract:", "multiply:by:",
      "divide:by:", "modulus:by:", "raise:toPower:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:",
      "leftshift:by:", "rightshift:by:", "distanceToLocation:fromLocation:", "objectFrom:withIndex:",
    ].map { selector in
      ExpressionFunction(selector: selector, argumentCount: selector.filter { $0 == ":" }.count)
    }

  private static let bySelector = Dictionary(all.map { ($0.selector, $0) }, uniquingKeysWith: { first, _ in first })
  private static let byShortName = Dictionary(grouping: all, by: \.shortName)

  /// The function of a selector.
  package static func named(_ selector: String) -> ExpressionFunction? { bySelector[selector] }

  /// The functions that a selector, or its first word without a colon, can mean.
  static func candidates(_ name: String) -> [ExpressionFunction] {
    if name.contains(":") { return bySelector[name].map { [$0] } ?? [] }
    return byShortName[name] ?? []
  }

  /// The selector's first word.
  var shortName: String { String(selector.prefix { $0 != ":" }) }
}
