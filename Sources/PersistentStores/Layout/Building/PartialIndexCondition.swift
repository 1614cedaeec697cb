/// The SQL condition of a partial index, translated from its predicate.
///
/// Understood are comparisons of an attribute with a number, a truth value, a text or nil, joined by AND. Core Data's
/// own SQL for these was never seen; an untranslated predicate is better left out than guessed.
struct PartialIndexCondition {
  /// The condition.
  let sql: String

  /// Translates a predicate with the columns of its attributes; nil when it is not understood.
  init?(_ predicate: String, column: (String) -> String?) {
    guard predicate.utf8.count <= 4096, let tokens = Self.tokens(of: predicate) else { return nil }
    var conditions: [String] = []
    for comparison in tokens.split(omittingEmptySubsequences: false, whereSeparator: \.isConjunction) {
      let parts = Array(comparison)
      guard parts.count == 3, case .word(let name) = parts[0], let column = column(name),
        case .comparison(let comparison) = parts[1],
        let condition = Self.condition(column: SQLIdentifier(column).asCoreDataWrites, comparison, parts[2])
      else { return nil }
      conditions.append(condition)
    }
    sql = conditions.joined(separator: " AND ")
  }

  private static func condition(column: String, _ comparison: String, _ value: Token) -> String? {
    guard let sqlOperator = operators[comparison] else { return nil }
    switch value {
    case .word(let word):
      switch word.uppercased() {
      case "NIL", "NULL":
        switch sqlOperator {
        case "=": return "\(column) IS NULL"
        case "<>": return "\(column) IS NOT NULL"
        default: return nil
        }
      case "YES", "TRUE": return "\(column) \(sqlOperator) \(SQLLiteral.integer(1).sql)"
      case "NO", "FALSE": return "\(column) \(sqlOperator) \(SQLLiteral.integer(0).sql)"
      default: return nil
      }
    case .literal(let literal): return "\(column) \(sqlOperator) \(literal.sql)"
    case .comparison: return nil
    }
  }

  private static let operators = [
    "=": "=", "==": "=", "!=": "<>", "<>": "<>", "<": "<", "<=": "<=", "=<": "<=", ">": ">", ">=": ">=", "=>": ">=",
  ]

  private enum Token {
    case word(String)
    case comparison(String)
    case literal(SQLLiteral)

    var isConjunction: Bool {
      switch self {
      case .word(let word): word.uppercased() == "AND"
      case .comparison(let text): text == "&&"
      case .literal: false
      }
    }
  }

  private static func tokens(of predicate: String) -> [Token]? {
    var tokens: [Token] = []
    var rest = Substring(predicate)
    while let first = rest.first {
      if first.isWhitespace {
        rest = rest.dropFirst()
      } else if first == "\"" || first == "'" {
        rest = rest.dropFirst()
        let text = rest.prefix { $0 != first }
        guard !text.contains("\\"), text.endIndex < rest.endIndex else { return nil }
        tokens.append(.literal(.text(String(text))))
        rest = rest[text.endIndex...].dropFirst()
      } else if "=!<>&".contains(first) {
        let text = rest.prefix { "=!<>&".contains($0) }
        tokens.append(.comparison(String(text)))
        rest = rest[text.endIndex...]
      } else {
        let text = rest.prefix { $0.isLetter || $0.isNumber || "_.-+".contains($0) }
        guard !text.isEmpty else { return nil }
        tokens.append(token(ofWord: String(text)))
        rest = rest[text.endIndex...]
      }
    }
    return tokens.isEmpty ? nil : tokens
  }

  private static func token(ofWord word: String) -> Token {
    if let integer = Int64(word) { return .literal(.integer(integer)) }
    if word.first.map({ $0.isNumber || "-+.".contains($0) }) == true, let real = Double(word), real.isFinite {
      return .literal(.real(real))
    }
    return .word(word)
  }
}
