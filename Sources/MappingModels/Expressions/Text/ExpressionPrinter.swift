import ModelDescription

/// Writes expressions so that reading the text gives the same tree.
struct ExpressionPrinter {
  let quotes: ValueExpression.Quotes

  func text(of expression: ValueExpression) -> String {
    switch expression {
    case .null: "nil"
    case .constant(let value): text(of: value)
    case .selfObject: "SELF"
    case .variable(let name): "$" + ExpressionName.text(name, quotes: quotes)
    case .keyPath(let keys, let base): keyPath(keys, of: base)
    case .function(let selector, let arguments): function(selector, arguments)
    case .invocation(let target, let selector, let arguments):
      call("FUNCTION", [text(of: target), quotes.text(selector)] + arguments.map(text))
    case .comparison(let comparison): text(of: comparison)
    case .conjunction(let parts): chain(parts, "AND", .negation, empty: "TRUEPREDICATE")
    case .disjunction(let parts): chain(parts, "OR", .conjunction, empty: "FALSEPREDICATE")
    case .negation(let part): "NOT " + operand(part, .negation)
    case .truth(let isTrue): isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .conditional(let condition, let value, let other): call("TERNARY", [condition, value, other].map(text))
    case .cast(let value, let type): call("CAST", [castOperand(value), quotes.text(type)])
    case .collection(let members): "{" + members.map(text).joined(separator: ", ") + "}"
    case .subquery(let collection, let variable, let condition):
      call("SUBQUERY", [text(of: collection), text(of: .variable(variable)), text(of: condition)])
    case .fetch(let request, let context, let countsOnly):
      call("FETCH", [text(of: request), text(of: context), countsOnly ? "YES" : "NO"])
    }
  }

  private func call(_ name: String, _ arguments: [String]) -> String { "\(name)(\(arguments.joined(separator: ", ")))" }

  private func text(of value: AttributeValue) -> String {
    if let cast = ConstantCast.cast(of: value) {
      return call("CAST", [text(of: cast.literal), quotes.text(cast.type)])
    }
    return switch value {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let isTrue): isTrue ? "YES" : "NO"
    case .string(let text): quotes.text(text)
    case .decimal, .date, .binary, .uuid, .uri: "nil"
    }
  }

  /// Parentheses keep the cast of a literal from being read as a constant.
  private func castOperand(_ value: ValueExpression) -> String {
    switch value {
    case .constant(.string), .constant(.integer): "(\(text(of: value)))"
    case .constant(.double(let number)) where number.isFinite: "(\(text(of: value)))"
    default: text(of: value)
    }
  }

  private func keyPath(_ keys: [String], of base: ValueExpression) -> String {
    let path = keys.map { ExpressionName.text($0, quotes: quotes) }
    switch base {
    case .selfObject:
      guard let first = keys.first else { return "SELF" }
      return ([ExpressionName.firstKey(first, quotes: quotes)] + path.dropFirst()).joined(separator: ".")
    case .keyPath, .constant: return (["(\(text(of: base)))"] + path).joined(separator: ".")
    default: return ([operand(base, .operand)] + path).joined(separator: ".")
    }
  }

  private func function(_ selector: String, _ arguments: [ValueExpression]) -> String {
    if arguments.count == 2,
      let infix = ExpressionOperator.arithmetic.first(where: { $0.selector == selector })
    {
      let leftLevel = infix.level == .power ? infix.level.tighter : infix.level
      let left = operand(arguments[0], leftLevel)
      let right = operand(arguments[1], infix.level.tighter)
      return "\(left) \(infix.symbol) \(right)"
    }
    let isKnown = ExpressionFunction.named(selector)?.argumentCount == arguments.count
    return call(isKnown ? selector : "#" + quotes.text(selector), arguments.map(text))
  }

  private func text(of comparison: ExpressionComparison) -> String {
    let options = (comparison.ignoresCase ? "c" : "") + (comparison.ignoresDiacritics ? "d" : "")
    let words = [
      comparison.quantifier.word,
      operand(comparison.left, .sum),
      comparison.operator.symbol + (options.isEmpty ? "" : "[\(options)]"),
      operand(comparison.right, .sum),
    ]
    return words.compactMap { $0 }.joined(separator: " ")
  }

  private func chain(_ parts: [ValueExpression], _ word: String, _ level: ExpressionLevel, empty: String) -> String {
    parts.isEmpty ? empty : parts.map { operand($0, level) }.joined(separator: " \(word) ")
  }

  /// Returns the text of an operand, with parentheses if it is below this level.
  private func operand(_ expression: ValueExpression, _ level: ExpressionLevel) -> String {
    let text = text(of: expression)
    return expression.level < level ? "(\(text))" : text
  }
}

extension ExpressionComparison.Quantifier {
  fileprivate var word: String? {
    switch self {
    case .direct: nil
    case .any: "ANY"
    case .all: "ALL"
    case .none: "NONE"
    }
  }
}

extension ValueExpression {
  /// The precedence of the text's outermost operator.
  fileprivate var level: ExpressionLevel {
    switch self {
    case .conjunction(let parts): parts.isEmpty ? .operand : .conjunction
    case .disjunction(let parts): parts.isEmpty ? .operand : .disjunction
    case .negation: .negation
    case .comparison: .comparison
    case .function(let selector, let arguments) where arguments.count == 2:
      ExpressionOperator.arithmetic.first { $0.selector == selector }?.level ?? .operand
    case .constant(.integer(let value)) where value < 0: .power
    case .constant(.double(let value)) where value.isFinite && value.sign == .minus: .power
    default: .operand
    }
  }
}

/// Writes keys and the names of variables, escaped if they would be read as another token.
enum ExpressionName {
  /// A name after a dollar sign or a period.
  static func text(_ name: String, quotes: ValueExpression.Quotes) -> String {
    isPlain(name) ? name : "#" + quotes.text(name)
  }

  /// Returns the first key of a path, escaped if it is a keyword.
  static func firstKey(_ key: String, quotes: ValueExpression.Quotes) -> String {
    ExpressionKeyword(rawValue: key.uppercased()) == nil ? text(key, quotes: quotes) : "#" + key
  }

  private static func isPlain(_ name: String) -> Bool {
    let isOperator = name.hasPrefix("@")
    let scalars = name.unicodeScalars.dropFirst(isOperator ? 1 : 0)
    guard let first = scalars.first, first.properties.isXIDStart || first == "_" else { return false }
    return scalars.allSatisfy { $0.properties.isXIDContinue || $0 == "_" }
  }
}
