/// The definition of an index without its name, because Core Data's migrations leave old names.
///
/// Names of tables and columns are compared without case.
package struct IndexForm: Hashable, Sendable {
  package enum Rows: Hashable, Sendable {
    case all
    case condition(IndexCondition)
    /// Those that meet a condition that is not understood.
    case unreadable
  }

  package var table: String
  package var columns: [String]
  /// The positions of the columns in descending order.
  package var descending: Set<Int>
  package var isUnique: Bool
  package var rows: Rows

  package init(_ index: SQLIndex) {
    table = index.table.uppercased()
    columns = index.columns.map { $0.name.uppercased() }
    descending = Set(index.columns.indices.filter { !index.columns[$0].isAscending })
    isUnique = index.isUnique
    rows = index.condition.map { IndexCondition($0).map(Rows.condition) ?? .unreadable } ?? .all
  }

  /// The definition of a store's index; nil if no model can define it, such as an index on an expression or with a
  /// collation.
  package init?(_ index: StoreSnapshot.Index) {
    guard !index.hasOwnCollation, !index.columns.contains("") else { return nil }
    table = index.table.uppercased()
    columns = index.columns.map { $0.uppercased() }
    descending = index.descending
    isUnique = index.isUnique
    let condition = index.sql.flatMap { IndexCondition.text(ofStatement: $0) }
    rows = condition.map { IndexCondition($0).map(Rows.condition) ?? .unreadable } ?? .all
  }

  var withoutCondition: IndexForm {
    var form = self
    if form.rows != .all { form.rows = .unreadable }
    return form
  }
}

/// The pairs of the model's indexes and the store's indexes.
///
/// An index with the same name is preferred, and each index counts once.
package struct IndexMatching {
  /// For each index of the model, the position of the store's index; nil if the store does not have it.
  package private(set) var matches: [Int?]
  /// The positions of the store's indexes that are not part of the model, or repeat an index.
  package private(set) var surplus: [Int] = []

  /// Pairs indexes.
  ///
  /// - Parameter actual: the names and definitions of the store's indexes; a condition that cannot be parsed counts as
  ///   equal to the model's.
  package init(wanted: [SQLIndex], actual: [(name: String, form: IndexForm?)]) {
    let forms = wanted.map { IndexForm($0) }
    matches = Array(repeating: nil, count: wanted.count)
    let byName = Dictionary(grouping: wanted.indices) { wanted[$0].name.uppercased() }
    var unnamed: [Int] = []
    for (position, index) in actual.enumerated() {
      let named = byName[index.name.uppercased()]?.first { matches[$0] == nil && Self.fits(index.form, forms[$0]) }
      if let named { matches[named] = position } else { unnamed.append(position) }
    }
    var open = Dictionary(grouping: forms.indices.reversed().filter { matches[$0] == nil }) { forms[$0] }
    var openPartial = Dictionary(grouping: forms.indices.reversed().filter { matches[$0] == nil }) {
      forms[$0].withoutCondition
    }
    for position in unnamed {
      guard let form = actual[position].form else {
        surplus.append(position)
        continue
      }
      let isReadable = form.rows != .unreadable
      var taken: Int?
      repeat {
        taken = isReadable ? open[form]?.popLast() : openPartial[form]?.popLast()
      } while taken.map { matches[$0] != nil } ?? false
      if let taken { matches[taken] = position } else { surplus.append(position) }
    }
  }

  private static func fits(_ form: IndexForm?, _ wanted: IndexForm) -> Bool {
    form == wanted || (form?.rows == .unreadable && form == wanted.withoutCondition)
  }
}

/// The condition of a partial index; two spellings of the same comparisons are equal.
///
/// It can be parsed if it compares columns with literals or NULL, joined by AND. Layouts write only such conditions.
package struct IndexCondition: Hashable, Sendable {
  /// A comparison: an upper-cased column, the operator and, if the operator needs it, a literal.
  struct Comparison: Hashable, Sendable {
    var column: String
    let symbol: String
    let literal: String?
  }

  private(set) var comparisons: Set<Comparison>

  /// Parses a condition; nil if it is not supported.
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

  /// The text of a `CREATE INDEX` statement after the `WHERE` that follows its columns; nil if it has no condition.
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

  /// True if the text contains the letters of `WHERE`.
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

  /// The condition with renamed columns.
  ///
  /// - Parameter name: returns the upper-cased new name for an upper-cased name; nil for a removed column.
  /// - Returns: the condition; nil if a column is removed.
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

  /// The tokens without parentheses, which do not have an effect if all comparisons are joined by AND.
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

  /// The quoted text at the start of a statement, and the rest.
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
