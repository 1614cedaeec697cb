import Foundation
import ModelDescription

extension ExpressionParser {
  /// Reads `name(…)`, `selector:(…)` or, with a selector that is taken as it is, `#'selector'(…)`.
  mutating func call(_ name: String, isEscaped: Bool) throws(ExpressionSyntaxError) -> Parsed {
    let start = advance()
    try require("(")
    if isEscaped {
      let arguments = try list(until: ")")
      return try node(.function(name, arguments.map(\.expression)), over: arguments, at: start)
    }
    let candidates = ExpressionFunction.candidates(name)
    guard let first = candidates.first else { throw unknownFunction(name, at: start) }
    let arguments = try list(until: ")")
    guard let function = candidates.first(where: { $0.argumentCount == arguments.count }) else {
      let counts = candidates.map(\.argumentCount)
      let accepted = (counts.min() ?? first.argumentCount)...(counts.max() ?? first.argumentCount)
      throw error(.argumentCount(function: name, accepted: accepted, given: arguments.count), at: start)
    }
    return try node(.function(function.selector, arguments.map(\.expression)), over: arguments, at: start)
  }

  func unknownFunction(_ name: String, at token: ExpressionToken? = nil) -> ExpressionSyntaxError {
    let names = ExpressionFunction.all.map(\.selector) + ["TERNARY", "CAST", "FUNCTION"]
    let near = Array(NearNames.nearest(to: name, among: names).prefix(2))
    return error(.unknownFunction(name, near: near), at: token)
  }

  /// Reads `FUNCTION(target, "selector", …)`.
  mutating func invocation() throws(ExpressionSyntaxError) -> Parsed {
    let start = advance()
    try require("(")
    let target = try expression(.disjunction)
    try require(",")
    guard case .string(let selector) = current.kind else { throw expected("the selector as a string") }
    advance()
    let arguments = take(",") ? try list(until: ")") : try closed()
    return try node(
      .invocation(of: target.expression, selector: selector, arguments: arguments.map(\.expression)),
      over: arguments + [target], at: start)
  }

  private mutating func closed() throws(ExpressionSyntaxError) -> [Parsed] {
    try require(")")
    return []
  }

  /// Reads `TERNARY(condition, value, other)`.
  mutating func conditional() throws(ExpressionSyntaxError) -> Parsed {
    let start = advance()
    try require("(")
    let parts = try list(until: ")")
    guard parts.count == 3 else {
      throw error(.argumentCount(function: "TERNARY", accepted: 3...3, given: parts.count), at: start)
    }
    let expressions = parts.map(\.expression)
    return try node(.conditional(expressions[0], then: expressions[1], else: expressions[2]), over: parts, at: start)
  }

  /// Reads `SUBQUERY(collection, $variable, condition)`.
  mutating func subquery() throws(ExpressionSyntaxError) -> Parsed {
    let start = advance()
    try require("(")
    let collection = try expression(.disjunction)
    try require(",")
    guard case .variable(let name) = current.kind else { throw expected("a variable for the member, such as $x") }
    advance()
    try require(",")
    let outer = variables
    defer { variables = outer }
    variables[name] = nil
    let condition = try expression(.disjunction)
    try require(")")
    return try node(
      .subquery(of: collection.expression, variable: name, where: condition.expression),
      over: [collection, condition], at: start)
  }

  /// Reads `FETCH(request, context, NO)`.
  mutating func fetch() throws(ExpressionSyntaxError) -> Parsed {
    let start = advance()
    try require("(")
    let parts = try list(until: ")")
    guard parts.count == 3 else {
      throw error(.argumentCount(function: "FETCH", accepted: 3...3, given: parts.count), at: start)
    }
    guard case .constant(.boolean(let countsOnly)) = parts[2].expression else {
      throw error(.expected("YES or NO as the third argument of FETCH", found: "another expression"), at: start)
    }
    return try node(
      .fetch(request: parts[0].expression, context: parts[1].expression, countsOnly: countsOnly),
      over: parts, at: start)
  }

  /// Reads `CAST(value, "type")`; a literal that is a valid constant of the type becomes the constant.
  mutating func cast() throws(ExpressionSyntaxError) -> Parsed {
    let start = advance()
    try require("(")
    let isPlain = current.kind != .symbol("(")
    let valueToken = current
    let value = try expression(.disjunction)
    try require(",")
    guard case .string(let type) = current.kind else { throw expected("the type as a string, such as \"NSDate\"") }
    advance()
    try require(")")
    if isPlain, case .constant(let constant) = value.expression, valueToken.isLiteral {
      switch ConstantCast.constant(constant, as: type) {
      case .constant(let made): return Parsed(expression: .constant(made), depth: 1)
      case .invalid(let text): throw error(.invalidCast(text: text, type: type), at: valueToken)
      case .cast: break
      }
    }
    return try node(.cast(value.expression, to: type), over: [value], at: start)
  }
}

extension ExpressionToken {
  /// True for the beginning of a number or a string.
  fileprivate var isLiteral: Bool {
    switch kind {
    case .number, .string, .symbol("-"): true
    default: false
    }
  }
}
