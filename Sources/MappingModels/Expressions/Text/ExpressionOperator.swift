/// The precedence of an operator, lowest first.
enum ExpressionLevel: Int, Comparable {
  case disjunction, conjunction, negation, comparison, sum, product, power, operand

  static func < (first: ExpressionLevel, second: ExpressionLevel) -> Bool { first.rawValue < second.rawValue }

  var tighter: ExpressionLevel { ExpressionLevel(rawValue: rawValue + 1) ?? .operand }
}

/// An operator between two expressions.
enum ExpressionOperator: Hashable {
  case or
  case and
  case comparison(ExpressionComparison.Operator)
  /// A function with an operator symbol, by its selector.
  case arithmetic(String, ExpressionLevel)

  var level: ExpressionLevel {
    switch self {
    case .or: .disjunction
    case .and: .conjunction
    case .comparison: .comparison
    case .arithmetic(_, let level): level
    }
  }

  /// The functions with an operator symbol, as `NSExpression` names them.
  static let arithmetic: [(symbol: String, selector: String, level: ExpressionLevel)] = [
    ("+", "add:to:", .sum), ("-", "from:subtract:", .sum), ("*", "multiply:by:", .product),
    ("/", "divide:by:", .product), ("**", "raise:toPower:", .power),
  ]

  private static let comparisonSymbols: [String: ExpressionComparison.Operator] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, "=<": .lessOrEqual,
    ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  init?(_ token: ExpressionToken) {
    if let keyword = token.keyword {
      switch keyword {
      case .and: self = .and
      case .or: self = .or
      case .isIn: self = .comparison(.isIn)
      case .between: self = .comparison(.between)
      case .beginsWith: self = .comparison(.beginsWith)
      case .contains: self = .comparison(.contains)
      case .endsWith: self = .comparison(.endsWith)
      case .like: self = .comparison(.like)
      case .matches: self = .comparison(.matches)
      default: return nil
      }
      return
    }
    guard case .symbol(let symbol) = token.kind else { return nil }
    if symbol == "&&" {
      self = .and
    } else if symbol == "||" {
      self = .or
    } else if let comparison = Self.comparisonSymbols[symbol] {
      self = .comparison(comparison)
    } else if let function = Self.arithmetic.first(where: { $0.symbol == symbol }) {
      self = .arithmetic(function.selector, function.level)
    } else {
      return nil
    }
  }
}

extension ExpressionComparison.Operator {
  /// The operator as `NSPredicate` writes it.
  package var symbol: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .beginsWith: "BEGINSWITH"
    case .contains: "CONTAINS"
    case .endsWith: "ENDSWITH"
    case .like: "LIKE"
    case .matches: "MATCHES"
    case .isIn: "IN"
    case .between: "BETWEEN"
    }
  }
}

/// A built-in function of `NSExpression`: its selector and how many arguments it takes.
package struct ExpressionFunction: Hashable, Sendable {
  /// The selector, such as `multiply:by:`.
  package let selector: String
  package let argumentCount: Int

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

  package static func named(_ selector: String) -> ExpressionFunction? { bySelector[selector] }

  /// The functions that a selector, or its first word without a colon, can mean.
  static func candidates(_ name: String) -> [ExpressionFunction] {
    if name.contains(":") { return bySelector[name].map { [$0] } ?? [] }
    return byShortName[name] ?? []
  }

  /// The selector's first word.
  var shortName: String { String(selector.prefix { $0 != ":" }) }
}
