import ModelDescription

/// Puts expressions into words.
enum ExpressionWords {
  static func words(of expression: ValueExpression) -> String {
    switch expression {
    case .null: "nothing"
    case .constant(let value): ConstantWords.words(of: value)
    case .selfObject, .variable("source"): "the source object"
    case .variable(let name): "the \(name)"
    case .keyPath(let keys, let base): KeyPathWords.words(of: keys, from: base)
    case .function(let selector, let arguments): FunctionWords.words(of: selector, arguments)
    case .invocation(let target, let selector, let arguments): invocation(of: target, selector, arguments)
    case .comparison(let comparison): ComparisonWords.words(of: comparison)
    case .conjunction(let parts):
      parts.isEmpty ? "always" : parts.map { part(of: $0, isSimple: !$0.isDisjunction) }.joined(separator: ", and ")
    case .disjunction(let parts):
      parts.isEmpty ? "never" : "either " + parts.map { part(of: $0, isSimple: true) }.joined(separator: ", or ")
    case .negation(let part): "it is not so that \(words(of: part))"
    case .truth(let isTrue): isTrue ? "always" : "never"
    case .conditional(let condition, let value, let other): conditional(condition, value, other)
    case .cast(let value, let type): "\(operand(value)) as \(typeWords[type] ?? type)"
    case .collection(let members): members.isEmpty ? "no values" : list(members, "and")
    case .fetch(let request, _, let countsOnly):
      countsOnly ? "the number of objects of \(words(of: request))" : "the objects of \(words(of: request))"
    }
  }

  /// An expression inside another, set off when it has several parts of its own.
  static func operand(_ expression: ValueExpression) -> String {
    let words = words(of: expression)
    return expression.isCompound ? "the result of \(words)," : words
  }

  /// Several values: `a, b and c`.
  static func list(_ members: [ValueExpression], _ word: String) -> String {
    let words = members.map(operand)
    guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
    return words.dropLast().joined(separator: ", ") + " \(word) " + last
  }

  private static func part(of expression: ValueExpression, isSimple: Bool) -> String {
    isSimple ? words(of: expression) : "at least one of: " + words(of: expression)
  }

  /// The default for an empty value is the most frequent condition.
  private static func conditional(
    _ condition: ValueExpression, _ value: ValueExpression, _ other: ValueExpression
  ) -> String {
    if case .comparison(let comparison) = condition, comparison.operator == .equal, comparison.right == .null,
      comparison.quantifier == .direct, comparison.left == other
    {
      return "\(words(of: other)), or \(words(of: value)) where it is empty"
    }
    return "\(words(of: value)) if \(words(of: condition)), otherwise \(words(of: other))"
  }

  private static func invocation(
    of target: ValueExpression, _ selector: String, _ arguments: [ValueExpression]
  ) -> String {
    let whole = ValueExpression.invocation(of: target, selector: selector, arguments: arguments)
    if let made = whole.madeObjects { return "what \(made.mapping) makes of \(words(of: made.sources))" }
    if target == .variable("manager"), arguments.count == 2, case .constant(.string(let name)) = arguments[0],
      whole == .objects(madeFromRelationship: name)
    {
      return "what becomes of \(words(of: arguments[1]))"
    }
    let subject = target == .variable("entityPolicy") ? "the policy’s" : "\(words(of: target))’s"
    return "what \(subject) \(selector) gives" + (arguments.isEmpty ? "" : " for \(list(arguments, "and"))")
  }

  private static let typeWords = [
    "NSDate": "a date", "NSString": "text", "NSNumber": "a number", "NSDecimalNumber": "a decimal number",
    "NSURL": "a URL", "NSUUID": "a UUID", "NSData": "binary data",
  ]
}

extension ValueExpression {
  fileprivate var isDisjunction: Bool {
    if case .disjunction = self { true } else { false }
  }

  /// True for what has several parts with words of their own between them.
  fileprivate var isCompound: Bool {
    switch self {
    case .comparison, .conjunction, .disjunction, .negation, .conditional: true
    case .function(let selector, _): FunctionWords.isInfix(selector)
    default: false
    }
  }
}
