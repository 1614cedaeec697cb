import Foundation
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
    case .negation(let part): "it is not true that \(words(of: part))"
    case .truth(let isTrue): isTrue ? "always" : "never"
    case .conditional(let condition, let value, let other): conditional(condition, value, other)
    case .cast(let value, let type): "\(operand(value)) as \(typeWords[type] ?? type)"
    case .collection(let members): members.isEmpty ? "no values" : list(members, "and")
    case .subquery(let collection, let variable, let condition):
      "the members of \(operand(collection)) for which \(words(of: condition)), each called the \(variable)"
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
      return "\(words(of: other)), or \(words(of: value)) if it is empty"
    }
    return "\(words(of: value)) if \(words(of: condition)), otherwise \(words(of: other))"
  }

  private static func invocation(
    of target: ValueExpression, _ selector: String, _ arguments: [ValueExpression]
  ) -> String {
    let whole = ValueExpression.invocation(of: target, selector: selector, arguments: arguments)
    if let made = whole.madeObjects {
      return "the objects that \(made.mapping) creates from \(words(of: made.sources))"
    }
    if target == .variable("manager"), arguments.count == 2, case .constant(.string(let name)) = arguments[0],
      whole == .objects(madeFromRelationship: name)
    {
      return "the objects created from \(words(of: arguments[1]))"
    }
    let subject = target == .variable("entityPolicy") ? "the policy’s" : "\(words(of: target))’s"
    return "the result of \(subject) \(selector)" + (arguments.isEmpty ? "" : " for \(list(arguments, "and"))")
  }

  private static let typeWords = [
    "NSDate": "a date", "NSString": "text", "NSNumber": "a number", "NSDecimalNumber": "a decimal number",
    "NSURL": "a URL", "NSUUID": "a UUID", "NSData": "binary data",
  ]
}

extension ValueExpression {
  fileprivate var isDisjunction: Bool { if case .disjunction = self { true } else { false } }

  /// True for an expression whose words contain conjunctions or operators.
  fileprivate var isCompound: Bool {
    switch self {
    case .comparison, .conjunction, .disjunction, .negation, .conditional: true
    case .function(let selector, _): FunctionWords.isInfix(selector)
    default: false
    }
  }
}

/// Puts comparisons into words.
enum ComparisonWords {
  static func words(of comparison: ExpressionComparison) -> String {
    let left = ExpressionWords.operand(comparison.left)
    let subject =
      switch comparison.quantifier {
      case .direct: left
      case .any: "any \(left)"
      case .all: "every \(left)"
      case .none: "no \(left)"
      }
    return "\(subject) \(predicate(of: comparison))\(manner(of: comparison))"
  }

  private static func predicate(of comparison: ExpressionComparison) -> String {
    switch (comparison.operator, comparison.right) {
    case (.equal, .null): return "is empty"
    case (.notEqual, .null): return "is not empty"
    case (.between, .collection(let bounds)) where bounds.count == 2:
      return "is between \(ExpressionWords.list(bounds, "and"))"
    case (.isIn, .collection(let members)) where !members.isEmpty:
      return "is one of \(ExpressionWords.list(members, "or"))"
    default: return "\(verbs[comparison.operator] ?? "is") \(ExpressionWords.operand(comparison.right))"
    }
  }

  private static let verbs: [ExpressionComparison.Operator: String] = [
    .equal: "is", .notEqual: "is not", .less: "is less than", .lessOrEqual: "is at most",
    .greater: "is greater than", .greaterOrEqual: "is at least", .beginsWith: "begins with", .contains: "contains",
    .endsWith: "ends with", .like: "is like", .matches: "matches", .isIn: "is one of", .between: "is between",
  ]

  private static func manner(of comparison: ExpressionComparison) -> String {
    switch (comparison.ignoresCase, comparison.ignoresDiacritics) {
    case (true, true): ", ignoring case and accents"
    case (true, false): ", ignoring case"
    case (false, true): ", ignoring accents"
    case (false, false): ""
    }
  }
}

/// Puts constants into words.
enum ConstantWords {
  static func words(of value: AttributeValue) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .double(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    case .boolean(let isTrue): isTrue ? "yes" : "no"
    case .string(let text): words(of: text)
    case .date(let seconds): ISO8601Date.text(of: seconds) ?? "\(seconds) seconds after 2001"
    case .binary(let data): data.count == 1 ? "1 byte" : "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let text): text
    }
  }

  /// Names white space, and puts any other text in quotation marks.
  private static func words(of text: String) -> String {
    switch text {
    case "": "an empty text"
    case " ": "a space"
    case ", ": "a comma and a space"
    case "\n", "\r\n": "a line break"
    case "\t": "a tab"
    default: "“\(text)”"
    }
  }
}

/// Puts key paths into words, the last key first: `$source.customer.name` is “name of source customer”.
enum KeyPathWords {
  static func words(of keys: [String], from base: ValueExpression) -> String {
    var words = base == .selfObject || base == .variable("source") ? nil : ExpressionWords.operand(base)
    let isSource = base == .variable("source")
    var position = 0
    while position < keys.count {
      let key = keys[position]
      position += 1
      guard key.hasPrefix("@") else {
        words = words.map { "\(key) of \($0)" } ?? (isSource ? "source \(key)" : key)
        continue
      }
      let objects = words ?? "the source object"
      if key == "@count" {
        words = "the number of \(objects)"
      } else {
        let aggregated = keys[position...].joined(separator: " ")
        let subject = aggregated.isEmpty ? objects : "\(aggregated) of \(objects)"
        words = "\(operators[key] ?? "the \(key.dropFirst()) of") \(subject)"
        position = keys.count
      }
    }
    return words ?? "the source object"
  }

  private static let operators = [
    "@sum": "the sum of", "@min": "the least", "@max": "the greatest", "@avg": "the average",
    "@distinctUnionOfObjects": "the different", "@distinctUnionOfSets": "the different",
    "@distinctUnionOfArrays": "the different", "@unionOfObjects": "all", "@unionOfSets": "all", "@unionOfArrays": "all",
  ]
}

extension ValueExpression {
  /// The expression in plain English that reads well aloud.
  ///
  /// `$source.firstName + ' ' + $source.lastName` is “source firstName, then a space, then source lastName”. The words
  /// of an expression with more than two nested operators, or of an OR of ANDs, are its notation, which is clearer. The
  /// words are for readers; a program reads ``formatted(quotes:)``.
  public var words: String {
    if madeObjects != nil { return ExpressionWords.words(of: self) }
    return operatorDepth > 2 || mixesConditions ? formatted(quotes: .single) : ExpressionWords.words(of: self)
  }

  private var operatorDepth: Int {
    let inner = parts.map(\.operatorDepth).max() ?? 0
    guard case .function(let selector, _) = self, FunctionWords.isInfix(selector), selector != "add:to:" else {
      return inner
    }
    return inner + 1
  }

  /// True for an OR of ANDs, whose grouping the words do not show.
  private var mixesConditions: Bool {
    let isGroup = { (part: ValueExpression) in if case .conjunction = part { true } else { false } }
    if case .disjunction(let parts) = self, parts.contains(where: isGroup) { return true }
    return parts.contains(where: \.mixesConditions)
  }
}

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

  /// True for functions whose word is between their arguments.
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
