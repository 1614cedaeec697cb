import ModelDescription

/// Splits an expression's text into tokens.
struct ExpressionScanner {
  let scalars: [Unicode.Scalar]
  var position = 0
  private var tokens: [ExpressionToken] = []

  /// The symbols; longer symbols come before their prefixes.
  private static let symbols: [[Unicode.Scalar]] =
    [
      "**", "==", "=<", "=>", "!=", "<>", "<=", ">=", "&&", "||", "(", ")", "{", "}", "[", "]", ",", ".", "+", "-",
      "*", "/", "=", "<", ">", "!",
    ].map { Array($0.unicodeScalars) }

  /// Splits a text.
  ///
  /// - Returns: its tokens, the last of which is the end.
  static func tokens(of text: String) throws(ExpressionSyntaxError) -> [ExpressionToken] {
    let limit = ValueExpression.lengthLimit
    let scalars = Array(text.unicodeScalars.prefix(limit + 1))
    guard scalars.count <= limit else { throw ExpressionSyntaxError(reason: .tooLong(limit: limit), offset: limit) }
    var scanner = ExpressionScanner(scalars: scalars)
    return try scanner.scanned()
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private mutating func scanned() throws(ExpressionSyntaxError) -> [ExpressionToken] {
    while position < scalars.count {
      let start = position
      if scalars[position].properties.isWhitespace {
        position += 1
        continue
      }
      tokens.append(ExpressionToken(kind: try next(), offset: start))
    }
    tokens.append(ExpressionToken(kind: .end, offset: position))
    return tokens
  }

  private mutating func next() throws(ExpressionSyntaxError) -> ExpressionToken.Kind {
    let scalar = scalars[position]
    switch scalar {
    case "'", "\"": return .string(try string())
    case "$":
      position += 1
      let isEscaped = peek() == "#"
      guard isEscaped || isNameStart(peek()) else { throw expected("the name of a variable", at: position) }
      return .variable(isEscaped ? try escapedName() : name())
    case "#": return .name(try escapedName(), isEscaped: true)
    case "@":
      position += 1
      guard isNameStart(peek()) else { throw expected("the name of a collection operator", at: position) }
      return .name("@" + name(), isEscaped: false)
    case "%" where isNameStart(peek(1)) || peek(1) == "@": return .argument(isKey: try isKeyArgument())
    case "0"..."9": return .number(try number())
    case "." where isDigit(peek(1)) && !followsOperand: return .number(try number())
    default:
      if isNameStart(scalar) { return .name(selector(), isEscaped: false) }
      for symbol in Self.symbols where scalars[position...].starts(with: symbol) {
        position += symbol.count
        return .symbol(symbol.reduce(into: "") { $0.unicodeScalars.append($1) })
      }
      throw ExpressionSyntaxError(reason: .unknownOperator(String(Character(scalar)), near: []), offset: position)
    }
  }

  /// Reads `%@` or `%K`.
  private mutating func isKeyArgument() throws(ExpressionSyntaxError) -> Bool {
    let kind = peek(1)
    guard kind == "@" || kind == "K" else {
      let text = scalars[position...].prefix(2).reduce(into: "") { $0.unicodeScalars.append($1) }
      throw ExpressionSyntaxError(reason: .unknownArgument(text), offset: position)
    }
    position += 2
    return kind == "K"
  }

  /// A name, or the parts of a selector with their colons.
  private mutating func selector() -> String {
    var text = name()
    while peek() == ":" {
      position += 1
      text += ":" + (isNameStart(peek()) ? name() : "")
    }
    return text
  }

  private mutating func name() -> String {
    var name = String.UnicodeScalarView()
    while let scalar = peek(), scalar.properties.isXIDContinue || scalar == "_" {
      name.append(scalar)
      position += 1
    }
    return String(name)
  }

  /// `#name`, or `#'any text'`.
  private mutating func escapedName() throws(ExpressionSyntaxError) -> String {
    position += 1
    if peek() == "'" || peek() == "\"" { return try string() }
    guard isNameStart(peek()) else { throw expected("a name after #", at: position) }
    return selector()
  }

  private func expected(_ what: String, at offset: Int) -> ExpressionSyntaxError {
    let found = offset < scalars.count ? "“\(Character(scalars[offset]))”" : "the end"
    return ExpressionSyntaxError(reason: .expected(what, found: found), offset: offset)
  }

  /// True if the last token ends an operand, so that a period begins a key.
  private var followsOperand: Bool {
    switch tokens.last?.kind {
    case .name, .variable, .string, .number, .argument, .symbol(")"), .symbol("}"), .symbol("]"): true
    default: false
    }
  }

  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  func isNameStart(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { $0.properties.isXIDStart || $0 == "_" } ?? false }

  func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { ("0"..."9").contains($0) } ?? false }
}

/// The words that are keys only after a `#`, in upper or lower case.
enum ExpressionKeyword: String, Hashable, Sendable, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case anyMember = "ANY"
  case someMember = "SOME"
  case allMembers = "ALL"
  case noMember = "NONE"
  case isIn = "IN"
  case between = "BETWEEN"
  case beginsWith = "BEGINSWITH"
  case contains = "CONTAINS"
  case endsWith = "ENDSWITH"
  case like = "LIKE"
  case matches = "MATCHES"
  case `nil` = "NIL"
  case null = "NULL"
  case yes = "YES"
  case no = "NO"
  case `true` = "TRUE"
  case `false` = "FALSE"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case selfObject = "SELF"
  case function = "FUNCTION"
  case cast = "CAST"
  case ternary = "TERNARY"
  case fetch = "FETCH"
  case subquery = "SUBQUERY"
}

/// The smallest part of an expression's text.
struct ExpressionToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case number(AttributeValue)
    case string(String)
    /// `$name`, without the dollar sign.
    case variable(String)
    /// A word, a key or a selector; escaped by `#` it is never a keyword.
    case name(String, isEscaped: Bool)
    case symbol(String)
    /// `%@`, or `%K` for a key path.
    case argument(isKey: Bool)
    case end
  }

  let kind: Kind
  /// The beginning in Unicode scalars.
  let offset: Int

  /// The keyword that the word is, whatever its case.
  var keyword: ExpressionKeyword? {
    guard case .name(let name, isEscaped: false) = kind else { return nil }
    return ExpressionKeyword(rawValue: name.uppercased())
  }

  var shown: String {
    switch kind {
    case .number(.integer(let value)): "\(value)"
    case .number(.double(let value)): "\(value)"
    case .number: "a number"
    case .string(let text): "the string “\(text.prefix(40))”"
    case .variable(let name): "“$\(name)”"
    case .name(let name, _): "“\(name)”"
    case .symbol(let text): "“\(text)”"
    case .argument(let isKey): isKey ? "%K" : "%@"
    case .end: "the end"
    }
  }
}
