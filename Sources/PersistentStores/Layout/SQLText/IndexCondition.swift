/// The condition of a partial index, equal for two spellings of the same comparisons.
///
/// Read are comparisons of a column with a literal or with NULL, joined by AND, which are those that a layout writes.
package struct IndexCondition: Hashable, Sendable {
  /// A comparison: a column, upper-cased, what it is compared by and, unless that says it all, a literal.
  struct Comparison: Hashable, Sendable {
    var column: String
    let symbol: String
    let literal: String?
  }

  private(set) var comparisons: Set<Comparison>

  /// Reads a condition; nil when it is not understood.
  ///
  /// - Parameter sql: the text after `WHERE`.
  package init?(_ sql: some StringProtocol) {
    guard let tokens = Self.tokens(of: Substring(sql)) else { return nil }
    var comparisons: Set<Comparison> = []
    for part in tokens.split(separator: .word("AND"), omittingEmptySubsequences: false) {
      guard let comparison = Self.comparison(Array(part)) else { return nil }
      comparisons.insert(comparison)
    }
    self.comparisons = comparisons
  }

  /// The text of a `CREATE INDEX` statement after the `WHERE` that follows its columns; nil when it has none.
  package static func text(ofStatement sql: String) -> Substring? {
    // Few indexes have a condition, and to read a statement letter by letter takes long.
    guard mayHaveCondition(sql) else { return nil }
    var rest = Substring(sql)
    var depth = 0
    var hasColumns = false
    while let first = rest.first {
      if let quoted = quoted(rest) {
        rest = quoted.rest
        continue
      }
      if first == "(" { depth += 1 }
      if first == ")" {
        depth -= 1
        hasColumns = hasColumns || depth == 0
      }
      if depth == 0, hasColumns, rest.prefix(5).uppercased() == "WHERE" { return rest.dropFirst(5) }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// True when the letters of `WHERE` stand somewhere.
  private static func mayHaveCondition(_ sql: String) -> Bool {
    let word = Array("where".utf8)
    var matched = 0
    for byte in sql.utf8 {
      let letter = byte | 0x20
      matched = letter == word[matched] ? matched + 1 : letter == word[0] ? 1 : 0
      if matched == word.count { return true }
    }
    return false
  }

  /// The condition with other names of columns.
  ///
  /// - Parameter name: the upper-cased name for an upper-cased one, nil for a column that goes.
  /// - Returns: the condition; nil when a column goes.
  package func renamed(_ name: (String) -> String?) -> IndexCondition? {
    var condition = self
    condition.comparisons = []
    for var comparison in comparisons {
      guard let column = name(comparison.column) else { return nil }
      comparison.column = column
      condition.comparisons.insert(comparison)
    }
    return condition
  }

  private enum Token: Hashable {
    case word(String)
    case name(String)
    case symbol(String)
    case literal(String)
  }

  private static func comparison(_ tokens: [Token]) -> Comparison? {
    let column: String
    switch tokens.first {
    case .word(let name), .name(let name): column = name
    default: return nil
    }
    switch Array(tokens.dropFirst()) {
    case [.word("IS"), .word("NULL")], [.word("ISNULL")]:
      return Comparison(column: column, symbol: "IS NULL", literal: nil)
    case [.word("IS"), .word("NOT"), .word("NULL")], [.word("NOT"), .word("NULL")], [.word("NOTNULL")]:
      return Comparison(column: column, symbol: "IS NOT NULL", literal: nil)
    case let rest:
      guard rest.count == 2, case .symbol(let symbol) = rest[0], case .literal(let literal) = rest[1] else {
        return nil
      }
      return Comparison(column: column, symbol: symbol, literal: literal)
    }
  }

  private static let symbols = [
    "=": "=", "==": "=", "!=": "<>", "<>": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
  ]

  /// The tokens without parentheses, which change nothing where all is joined by AND.
  private static func tokens(of text: Substring) -> [Token]? {
    var tokens: [Token] = []
    var rest = text
    while let first = rest.first {
      if first.isWhitespace || first == "(" || first == ")" {
        rest = rest.dropFirst()
      } else if let quoted = quoted(rest) {
        tokens.append(first == "'" ? .literal("'\(quoted.text)") : .name(quoted.text.uppercased()))
        rest = quoted.rest
      } else if "=!<>".contains(first) {
        let text = rest.prefix { "=!<>".contains($0) }
        guard let symbol = symbols[String(text)] else { return nil }
        tokens.append(.symbol(symbol))
        rest = rest[text.endIndex...]
      } else {
        let text = rest.prefix { $0.isLetter || $0.isNumber || "_.-+$".contains($0) }
        guard !text.isEmpty else { return nil }
        if first.isNumber || "-+.".contains(first) {
          guard let number = Double(text) else { return nil }
          tokens.append(
            .literal(Int64(text).map(String.init) ?? Int64(exactly: number).map(String.init) ?? "\(number)"))
        } else {
          tokens.append(.word(text.uppercased()))
        }
        rest = rest[text.endIndex...]
      }
    }
    return tokens
  }

  /// The text in quotes that a statement goes on with, and what follows.
  private static func quoted(_ rest: Substring) -> (text: String, rest: Substring)? {
    let end: Character
    switch rest.first {
    case "'", "\"", "`": end = rest[rest.startIndex]
    case "[": end = "]"
    default: return nil
    }
    var text = ""
    var rest = rest.dropFirst()
    while let character = rest.first {
      rest = rest.dropFirst()
      if character == end {
        guard end != "]", rest.first == end else { break }
        rest = rest.dropFirst()
      }
      text.append(character)
    }
    return (text, rest)
  }
}
