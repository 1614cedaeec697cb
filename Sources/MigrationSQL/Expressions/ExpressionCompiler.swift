import GRDBSQLite
package import MappingModels
package import ModelDescription

/// Writes the expressions of an entity mapping as SQL over the rows of its source entity.
///
/// What it writes refers to one row, by an alias, and calls the functions of ``ExpressionFunctions``.
package struct ExpressionCompiler {
  let source: StoreModel
  /// How many constants an expression may hold; SQLite takes 32,766 in a statement.
  static let constantLimit = 10_000

  let entity: String
  let row: String
  /// Where a table of the source is now.
  let table: (String) -> String
  /// What stands behind `$entityPolicy`.
  let policy: ExpressionPolicy?
  /// What `now()` gives.
  let now: Double
  /// What a comparison with a missing value gives.
  let logic: PredicateLogic

  package init(
    source: StoreModel, entity: String, row: String, table: @escaping (String) -> String = { $0 },
    policy: ExpressionPolicy? = nil, now: Double, logic: PredicateLogic = .twoValued
  ) {
    (self.source, self.entity, self.row, self.table) = (source, entity, row, table)
    (self.policy, self.now, self.logic) = (policy, now, logic)
  }

  /// The value of a destination attribute, in the form Core Data stores it.
  ///
  /// - Parameter attribute: the destination's attribute, or the leaf of a composite one.
  /// - Returns: a scalar; for a plain `$source.key` of the same type, the bare column.
  package func value(_ expression: ValueExpression, for attribute: AttributeDescription) throws -> SQLStatement {
    try typing(.attribute).check(expression, assignedTo: attribute)
    var compilation = ExpressionCompilation(self, role: .attribute)
    compilation.wanted = attribute.type
    let piece = try compilation.piece(expression)
    return try checked(compilation.stored(piece, for: attribute, expression), expression)
  }

  /// The same value with the content of the file that it names in its place, for a row that owns no file.
  ///
  /// - Parameter attribute: the destination's attribute, or the leaf of a composite one.
  /// - Returns: the bytes with the mark of external storage; nil for a value that names no file.
  package func content(_ expression: ValueExpression, for attribute: AttributeDescription) throws -> SQLStatement? {
    guard attribute.allowsExternalBinaryDataStorage else { return nil }
    try typing(.attribute).check(expression, assignedTo: attribute)
    var compilation = ExpressionCompilation(self, role: .attribute)
    compilation.wanted = attribute.type
    let piece = try compilation.piece(expression)
    guard piece.isMarked else { return nil }
    return try checked(compilation.stored(piece.unmarked, for: attribute, expression), expression)
  }

  /// A condition over the source row for `WHERE`: 1 or 0, and NULL only in three-valued logic.
  ///
  /// A condition that can fail on a row, such as one that divides, fails on rows the surrounding statement leaves out
  /// if it asks them first; the statement's own conditions belong before it.
  package func condition(_ expression: ValueExpression) throws -> SQLStatement {
    try typing(.filter).checkCondition(expression)
    var compilation = ExpressionCompilation(self, role: .filter)
    return try checked(compilation.condition(expression).sql, expression)
  }

  /// The value of an expression for a row, to be shown or sorted by; an object is its key.
  ///
  /// - Returns: a scalar, and what it gives.
  package func value(_ expression: ValueExpression) throws -> (sql: SQLStatement, type: ExpressionType) {
    let type = try typing(.filter).scalarType(of: expression)
    var compilation = ExpressionCompilation(self, role: .filter)
    return (try checked(compilation.checked(compilation.piece(expression), expression).unmarked.sql, expression), type)
  }

  /// The links from source rows of the entity to the source objects that an expression gives.
  ///
  /// - Parameter expression: what stands behind `sourceInstances:`, such as `$source.items`; collections of collections
  ///   count as their members.
  /// - Returns: a query with the columns `owner` (`Z_PK` of the source row), `target` (`Z_PK` of the object), `number`
  ///   (its `Z_ENT`) and `position` (its place in an ordered relationship, or NULL); no pair comes twice.
  package func links(_ expression: ValueExpression) throws -> SQLStatement {
    _ = try typing(.relationship).type(of: expression)
    var compilation = ExpressionCompilation(self, role: .relationship)
    return try checked(compilation.links(expression), expression)
  }

  private func checked(
    _ sql: SQLStatement, _ expression: ValueExpression
  ) throws(ExpressionCompilationError) -> SQLStatement {
    guard sql.arguments.count <= Self.constantLimit else {
      throw .tooLong(expression: expression.shortText, limit: Self.constantLimit)
    }
    guard SQLNesting.isReadable(sql) else { throw .tooDeep(expression: expression.shortText) }
    return sql
  }

  /// SQL that somebody wrote, with its `$source.key.path` replaced.
  ///
  /// An object stands for its `Z_PK`, a value for what an expression has of it: binary data without the mark of external
  /// storage.
  ///
  /// - Parameter attribute: the destination's attribute when the SQL gives its value: a value that the attribute cannot
  ///   have then stops the statement, and the mark of external storage is added where the column needs one.
  package func sql(_ snippet: String, for attribute: AttributeDescription? = nil) throws -> SQLStatement {
    var compilation = ExpressionCompilation(self, role: .attribute)
    let piece = try compilation.snippet(SQLSnippet(snippet), arguments: [])
    guard let attribute else { return piece.sql }
    return compilation.stored(
      unknown: piece, for: attribute, compilation.place(of: "sql “\(snippet.prefix(160))”"), isWritten: true)
  }

  func typing(_ role: ExpressionTyping.Role) -> ExpressionTyping {
    ExpressionTyping(source: source.hierarchy, entity: entity, role: role)
  }
}

/// Whether SQLite can read SQL at all: its parser gives up where parentheses stand too deep in one another.
enum SQLNesting {
  /// Up to this depth every SQLite reads what expressions become.
  private static let safeDepth = 8
  /// What the statement around an expression may add.
  private static let margin = 12

  /// False when the SQLite of this process cannot read an expression within a statement.
  static func isReadable(_ sql: SQLStatement) -> Bool {
    let text = sql.text
    guard depth(of: text) > safeDepth else { return true }
    var connection: OpaquePointer?
    defer { sqlite3_close_v2(connection) }
    guard sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { return true }
    let opening = String(repeating: "(", count: margin)
    let closing = String(repeating: ")", count: margin)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let code = sqlite3_prepare_v3(connection, "SELECT \(opening)\(text)\(closing)", -1, 0, &statement, nil)
    guard code == SQLITE_ERROR, let message = sqlite3_errmsg(connection) else { return code != SQLITE_NOMEM }
    let words = String(cString: message)
    return !words.contains("stack overflow") && !words.contains("too large") && !words.contains("too complex")
  }

  /// How deep parentheses and `CASE` stand, where texts may make it seem deeper.
  private static func depth(of text: String) -> Int {
    var depth = 0
    var most = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "(") { depth += 1 } else if byte == UInt8(ascii: ")") { depth -= 1 }
      most = max(most, depth)
    }
    return most
  }
}

/// What a comparison with a missing value gives.
package enum PredicateLogic: Hashable, Sendable {
  /// True or false, as `NSPredicate` evaluates objects: `nil` equals `nil` and nothing else.
  case twoValued
  /// Nothing known, as in a fetch from an SQLite store: only a comparison with `nil` itself knows, and what is not known
  /// of an object leaves it out, behind `NOT` too.
  ///
  /// Source: what a fetch with `!=` leaves out, at https://douglashill.co/nspredicate-null-inequality/.
  case threeValued

  /// A comparison that SQL leaves NULL where a value is missing.
  func comparison(_ sql: SQLStatement) -> SQLStatement { self == .twoValued ? "COALESCE(\(sql), 0)" : "(\(sql))" }

  /// The flag that tells a function of texts to give NULL where a text is missing.
  package static let unknownFlag = 4

  /// What is added to the flags of a function of texts.
  var flags: Int { self == .twoValued ? 0 : Self.unknownFlag }
}

/// What stands behind `$entityPolicy` in the expressions of one entity mapping.
///
/// A call of a function that has no SQL in its place becomes a call of the SQL function
/// ``functionName```(class, selector, result, kinds, argument, …)`, which whoever runs the statement registers:
/// - `class` and `selector` are texts;
/// - `result` is the name of the attribute type that the value is for, such as `Date`, or an empty text when the value
///   is only a part of an expression;
/// - `kinds` is a text with one word for each argument, joined by commas: the name of an attribute type, `Object`,
///   `Objects`, or `Unknown` for what another call of a policy gives;
/// - each argument is in the form the store keeps: a date as seconds since 2001-01-01T00:00:00Z, a UUID as 16 bytes,
///   binary data without the mark of external storage. An object is the text `Entity:Z_PK` of its own entity, several
///   objects are such texts joined by commas, no object is NULL.
///
/// It gives the value in the same form.
package struct ExpressionPolicy: Hashable, Sendable {
  package static let functionName = "modelctl_policy"

  package var className: String
  /// What is done in its place, nil when it is there itself.
  package var standIn: PolicyStandIn?

  package init(className: String, standIn: PolicyStandIn? = nil) {
    (self.className, self.standIn) = (className, standIn)
  }
}
