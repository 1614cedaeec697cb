import Foundation
import ModelDescription

/// Reads an expression from its tokens, by the precedence of its operators.
struct ExpressionParser {
  /// An expression and how deep its tree is.
  struct Parsed {
    var expression: ValueExpression
    var depth: Int
    /// True for a comparison without parentheses, which is not a valid operand of a different comparison.
    var isOpenComparison = false
  }

  /// The limit for parentheses, which add no level to the tree; a printed tree has at most one pair per level.
  private static let nestingLimit = 2 * ValueExpression.depthLimit + 2

  let tokens: [ExpressionToken]
  var position = 0
  private let arguments: [ValueExpression]
  private var usedArguments = 0
  var variables: [String: ValueExpression]
  private var nesting = 0
  /// Called with each part and its range of tokens; inner parts come first.
  var note: (ValueExpression, Range<Int>) -> Void = { _, _ in }

  init(
    _ text: String, arguments: [ValueExpression] = [], variables: [String: ValueExpression] = [:]
  ) throws(ExpressionSyntaxError) {
    tokens = try ExpressionScanner.tokens(of: text)
    (self.arguments, self.variables) = (arguments, variables)
  }

  /// Reads the complete text.
  mutating func parsed() throws(ExpressionSyntaxError) -> ValueExpression {
    let whole = try expression(.disjunction)
    if current.kind == .end {
      guard usedArguments == arguments.count else {
        throw error(.unusedArguments(needed: usedArguments, given: arguments.count))
      }
      return whole.expression
    }
    if case .name(let name, _) = current.kind, current.keyword == nil {
      throw error(.unknownOperator(name, near: Self.near(name)))
    }
    if case .symbol("[") = current.kind { throw error(.unsupported("indexing with [ ]")) }
    throw expected("an operator or the end")
  }

  private static let operatorWords =
    ExpressionComparison.Operator.allCases.map(\.symbol).filter { $0.first?.isLetter == true } + ["AND", "OR"]

  private static func near(_ name: String) -> [String] {
    Array(NearNames.nearest(to: name, among: operatorWords).prefix(2))
  }

  /// Reads operands and the operators between them that bind at least this tightly.
  mutating func expression(_ minimum: ExpressionLevel) throws(ExpressionSyntaxError) -> Parsed {
    guard nesting < Self.nestingLimit else { throw error(.tooDeep(limit: ValueExpression.depthLimit)) }
    nesting += 1
    defer { nesting -= 1 }
    let beginning = position
    var left = try prefixed(minimum)
    note(left.expression, beginning..<position)
    while let next = ExpressionOperator(current), next.level >= minimum {
      switch next {
      case .and: left = try chain(from: left, of: next, part: .negation)
      case .or: left = try chain(from: left, of: next, part: .conjunction)
      case .comparison: left = try comparison(of: left, quantifier: .direct)
      case .arithmetic(let selector, let level):
        guard !left.isOpenComparison else { throw expected("AND, OR or the end") }
        let start = advance()
        let right = try expression(level.tighter)
        left = try node(.function(selector, [left.expression, right.expression]), over: [left, right], at: start)
      }
      note(left.expression, beginning..<position)
    }
    return left
  }

  private mutating func prefixed(_ minimum: ExpressionLevel) throws(ExpressionSyntaxError) -> Parsed {
    let token = current
    switch token.keyword {
    case .not: return try negation(minimum)
    case .anyMember, .someMember: return try quantified(.any, minimum)
    case .allMembers: return try quantified(.all, minimum)
    case .noMember: return try quantified(.none, minimum)
    default: break
    }
    switch token.kind {
    case .symbol("!"): return try negation(minimum)
    case .symbol("-"):
      advance()
      if case .number(let value) = current.kind {
        advance()
        return try pathed(Parsed(expression: .constant(value.negated), depth: 1))
      }
      let operand = try expression(.power)
      let zero = ValueExpression.constant(.integer(0))
      return try node(.function("from:subtract:", [zero, operand.expression]), over: [operand], at: token)
    default:
      let (isBareKey, beginning) = (self.isBareKey, position)
      let operand = try operand()
      note(operand.expression, beginning..<position)
      return try pathed(operand, isBareKey: isBareKey)
    }
  }

  private mutating func negation(_ minimum: ExpressionLevel) throws(ExpressionSyntaxError) -> Parsed {
    guard minimum <= .negation else { throw expected("a value; put NOT and its operand in parentheses") }
    let start = advance()
    let operand = try expression(.negation)
    return try node(.negation(operand.expression), over: [operand], at: start)
  }

  private mutating func quantified(
    _ quantifier: ExpressionComparison.Quantifier, _ minimum: ExpressionLevel
  ) throws(ExpressionSyntaxError) -> Parsed {
    guard minimum <= .comparison else { throw expected("a value; put the comparison in parentheses") }
    advance()
    let left = try expression(.sum)
    guard case .comparison? = ExpressionOperator(current) else { throw expected("a comparison, such as ==") }
    return try comparison(of: left, quantifier: quantifier)
  }

  private mutating func comparison(
    of left: Parsed, quantifier: ExpressionComparison.Quantifier
  ) throws(ExpressionSyntaxError) -> Parsed {
    guard !left.isOpenComparison, case .comparison(let kind)? = ExpressionOperator(current) else {
      throw expected("AND, OR or the end")
    }
    let start = advance()
    var (ignoresCase, ignoresDiacritics) = (false, false)
    if take("[") {
      guard case .name(let options, _) = current.kind,
        options.lowercased().allSatisfy({ $0 == "c" || $0 == "d" })
      else { throw expected("the options c, d or cd") }
      ignoresCase = options.lowercased().contains("c")
      ignoresDiacritics = options.lowercased().contains("d")
      advance()
      try require("]")
    }
    let right = try expression(.sum)
    var compared = ExpressionComparison(left.expression, kind, right.expression)
    compared.quantifier = quantifier
    compared.ignoresCase = ignoresCase
    compared.ignoresDiacritics = ignoresDiacritics
    var result = try node(.comparison(compared), over: [left, right], at: start)
    result.isOpenComparison = true
    return result
  }

  private mutating func chain(
    from first: Parsed, of link: ExpressionOperator, part: ExpressionLevel
  ) throws(ExpressionSyntaxError) -> Parsed {
    let start = current
    var parts = [first]
    while let next = ExpressionOperator(current), next == link {
      advance()
      parts.append(try expression(part))
    }
    let expressions = parts.map(\.expression)
    return try node(link == .and ? .conjunction(expressions) : .disjunction(expressions), over: parts, at: start)
  }

  /// Passes a `%@` or `%K`.
  mutating func argument() throws(ExpressionSyntaxError) -> ValueExpression {
    guard usedArguments < arguments.count else {
      let needed = tokens.count { if case .argument = $0.kind { true } else { false } }
      throw error(.missingArgument(needed: needed, given: arguments.count))
    }
    usedArguments += 1
    advance()
    return arguments[usedArguments - 1]
  }

  /// Passes a `%K`.
  mutating func keyArgument() throws(ExpressionSyntaxError) -> [String] {
    let token = current
    guard case .constant(.string(let path)) = try argument() else {
      throw error(.noKeyPath(argument: usedArguments), at: token)
    }
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !keys.contains("") else { throw error(.noKeyPath(argument: usedArguments), at: token) }
    return keys
  }

  /// The token that is read next.
  var current: ExpressionToken { tokens[min(position, tokens.count - 1)] }

  /// Returns the token at this distance.
  func token(after distance: Int) -> ExpressionToken { tokens[min(position + distance, tokens.count - 1)] }

  /// Passes a token and gives it back.
  @discardableResult
  mutating func advance() -> ExpressionToken {
    let token = current
    position += 1
    return token
  }

  /// Passes a symbol if it is the next token.
  mutating func take(_ symbol: String) -> Bool {
    guard current.kind == .symbol(symbol) else { return false }
    position += 1
    return true
  }

  mutating func require(_ symbol: String) throws(ExpressionSyntaxError) {
    guard take(symbol) else { throw expected("“\(symbol)”") }
  }

  /// Creates an expression over other expressions, if it is not too deep.
  func node(
    _ expression: ValueExpression, over parts: [Parsed], at token: ExpressionToken
  ) throws(ExpressionSyntaxError) -> Parsed {
    let depth = 1 + (parts.map(\.depth).max() ?? 0)
    guard depth <= ValueExpression.depthLimit else {
      throw error(.tooDeep(limit: ValueExpression.depthLimit), at: token)
    }
    return Parsed(expression: expression, depth: depth)
  }

  func error(_ reason: ExpressionSyntaxError.Reason, at token: ExpressionToken? = nil) -> ExpressionSyntaxError {
    ExpressionSyntaxError(reason: reason, offset: (token ?? current).offset)
  }

  func expected(_ what: String) -> ExpressionSyntaxError { error(.expected(what, found: current.shown)) }
}

extension AttributeValue {
  /// The number with the opposite sign; any other value is unchanged.
  fileprivate var negated: AttributeValue {
    switch self {
    case .integer(let value): .integer(0 &- value)
    case .double(let value): .double(-value)
    case .decimal(let value):
      // This integer is the only one whose positive form does not fit.
      -value == Decimal(Int64.min) ? .integer(.min) : .decimal(-value)
    default: self
    }
  }
}

extension ValueExpression {
  /// The most levels that an expression which was read may have, so that walking it needs little of the stack.
  package static let depthLimit = 64

  /// The most Unicode scalars of a text that are read as an expression.
  package static let lengthLimit = 20_000
}
