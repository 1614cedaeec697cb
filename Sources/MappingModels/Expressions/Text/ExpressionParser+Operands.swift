import ModelDescription

extension ExpressionParser {
  /// Reads an operand, without the keys that follow it.
  mutating func operand() throws(ExpressionSyntaxError) -> Parsed {
    let token = current
    switch token.kind {
    case .number(let value): return leaf(.constant(value))
    case .string(let text): return leaf(.constant(.string(text)))
    case .variable(let name):
      guard let value = variables[name] else { return leaf(.variable(name)) }
      advance()
      return try node(value, over: [Parsed(expression: value, depth: value.depth - 1)], at: token)
    case .symbol("("):
      advance()
      var inner = try expression(.disjunction)
      try require(")")
      inner.isOpenComparison = false
      return inner
    case .symbol("{"):
      advance()
      let members = try list(until: "}")
      return try node(.collection(members.map(\.expression)), over: members, at: token)
    case .name(let name, let isEscaped):
      if let keyword = token.keyword { return try value(of: keyword) }
      if self.token(after: 1).kind == .symbol("(") { return try call(name, isEscaped: isEscaped) }
      guard isEscaped || !name.contains(":") else { throw missingArguments(of: name) }
      advance()
      return Parsed(expression: .keyPath([name], of: .selfObject), depth: 2)
    case .argument(isKey: true): return Parsed(expression: .keyPath(try keyArgument(), of: .selfObject), depth: 2)
    case .argument(isKey: false):
      let value = try argument()
      return try node(value, over: [Parsed(expression: value, depth: value.depth - 1)], at: token)
    case .symbol, .end: throw expected("a value")
    }
  }

  private mutating func leaf(_ expression: ValueExpression) -> Parsed {
    advance()
    return Parsed(expression: expression, depth: 1)
  }

  private mutating func missingArguments(of name: String) -> ExpressionSyntaxError {
    guard ExpressionFunction.named(name) != nil else { return unknownFunction(name) }
    advance()
    return expected("“(” and the arguments of \(name)")
  }

  private mutating func value(of keyword: ExpressionKeyword) throws(ExpressionSyntaxError) -> Parsed {
    switch keyword {
    case .nil, .null: return leaf(.null)
    case .yes, .true: return leaf(.constant(.boolean(true)))
    case .no, .false: return leaf(.constant(.boolean(false)))
    case .truePredicate: return leaf(.truth(true))
    case .falsePredicate: return leaf(.truth(false))
    case .selfObject: return leaf(.selfObject)
    case .function: return try invocation()
    case .cast: return try cast()
    case .ternary: return try conditional()
    case .fetch: return try fetch()
    case .subquery: return try subquery()
    case .and, .or, .not, .anyMember, .someMember, .allMembers, .noMember, .isIn, .between, .beginsWith, .contains,
      .endsWith, .like, .matches:
      throw expected("a value (write #\(keyword.rawValue.lowercased()) for a key of that name)")
    }
  }

  /// True if the next token is a key of the object itself.
  var isBareKey: Bool {
    switch current.kind {
    case .name: current.keyword == nil && token(after: 1).kind != .symbol("(")
    case .argument(let isKey): isKey
    default: false
    }
  }

  /// Reads the keys after an operand; keys directly after a bare key extend its path.
  mutating func pathed(_ operand: Parsed, isBareKey: Bool = false) throws(ExpressionSyntaxError) -> Parsed {
    let start = current
    var keys: [String] = []
    while take(".") {
      if case .argument(isKey: true) = current.kind {
        keys += try keyArgument()
        continue
      }
      guard case .name(let key, let isEscaped) = current.kind, isEscaped || !key.contains(":") else {
        throw expected("a key")
      }
      keys.append(key)
      advance()
    }
    if keys.isEmpty { return operand }
    if isBareKey, case .keyPath(let first, let base) = operand.expression {
      return Parsed(expression: .keyPath(first + keys, of: base), depth: operand.depth)
    }
    return try node(.keyPath(keys, of: operand.expression), over: [operand], at: start)
  }

  /// Reads expressions with commas between them, up to and including a closing symbol.
  mutating func list(until end: String) throws(ExpressionSyntaxError) -> [Parsed] {
    if take(end) { return [] }
    var members: [Parsed] = []
    while true {
      members.append(try expression(.disjunction))
      if take(end) { return members }
      guard take(",") else { throw expected("“,” or “\(end)”") }
    }
  }
}
