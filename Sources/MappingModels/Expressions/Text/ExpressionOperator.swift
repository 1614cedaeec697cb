/// How tightly parts of an expression are bound, loosest first.
enum ExpressionLevel: Int, Comparable {
  case disjunction, conjunction, negation, comparison, sum, product, power, operand

  static func < (first: ExpressionLevel, second: ExpressionLevel) -> Bool { first.rawValue < second.rawValue }

  /// The next tighter level.
  var tighter: ExpressionLevel { ExpressionLevel(rawValue: rawValue + 1) ?? .operand }
}

/// An operator between two expressions.
enum ExpressionOperator: Hashable {
  case or
  case and
  case comparison(ExpressionComparison.Operator)
  /// A function that is written as an operator, by its selector.
  case arithmetic(String, ExpressionLevel)

  var level: ExpressionLevel {
    switch self {
    case .or: .disjunction
    case .and: .conjunction
    case .comparison: .comparison
    case .arithmetic(_, let level): level
    }
  }

  /// The functions that are written as operators, as `NSExpression` names them.
  static let arithmetic: [(symbol: String, selector: String, level: ExpressionLevel)] = [
    ("+", "add:to:", .sum), ("-", "from:subtract:", .sum), ("*", "multiply:by:", .product),
    ("/", "divide:by:", .product), ("**", "raise:toPower:", .power),
  ]

  /// The spellings of comparisons that are symbols.
  private static let comparisonSymbols: [String: ExpressionComparison.Operator] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, "=<": .lessOrEqual,
    ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  /// The operator that a token is.
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
