import GRDBSQLite
package import MappingModels
package import ModelDescription

/// Compiles the expressions of an entity mapping to SQL over the rows of its source entity.
///
/// The SQL refers to one row, by an alias, and calls the functions of ``ExpressionFunctions``.
package struct ExpressionCompiler {
  let source: StoreModel
  /// The maximum number of constants in an expression; SQLite takes 32,766 in a statement.
  static let constantLimit = 10_000

  let entity: String
  let row: String
  /// Returns the current name of a table of the source.
  let table: (String) -> String
  /// The policy of `$entityPolicy`.
  let policy: ExpressionPolicy?
  /// The value of `now()`.
  let now: Double
  /// The result of a comparison with a missing value.
  let logic: PredicateLogic

  package init(
    source: StoreModel, entity: String, row: String, table: @escaping (String) -> String = { $0 },
    policy: ExpressionPolicy? = nil, now: Double, logic: PredicateLogic = .twoValued
  ) {
    (self.source, self.entity, self.row, self.table) = (source, entity, row, table)
    (self.policy, self.now, self.logic) = (policy, now, logic)
  }

  /// Returns the value of a destination attribute, in the form Core Data stores it.
  ///
  /// - Parameter attribute: the destination's attribute, or the leaf of a composite attribute.
  /// - Returns: a scalar; for a plain `$source.key` of the same type, the bare column.
  package func value(_ expression: ValueExpression, for attribute: AttributeDescription) throws -> SQLStatement {
    try typing(.attribute).check(expression, assignedTo: attribute)
    var compilation = ExpressionCompilation(self, role: .attribute)
    compilation.wanted = attribute.type
    let piece = try compilation.piece(expression)
    return try checked(compilation.stored(piece, for: attribute, expression), expression)
  }

  /// Returns the same value with the content of its external file, for a row that owns no file.
  ///
  /// - Parameter attribute: the destination's attribute, or the leaf of a composite attribute.
  /// - Returns: the bytes with the mark of external storage; nil for a value without a file.
  package func content(_ expression: ValueExpression, for attribute: AttributeDescription) throws -> SQLStatement? {
    guard attribute.allowsExternalBinaryDataStorage else { return nil }
    try typing(.attribute).check(expression, assignedTo: attribute)
    var compilation = ExpressionCompilation(self, role: .attribute)
    compilation.wanted = attribute.type
    let piece = try compilation.piece(expression)
    guard piece.isMarked else { return nil }
    return try checked(compilation.stored(piece.unmarked, for: attribute, expression), expression)
  }

  /// Returns a condition over the source row for `WHERE`: 1 or 0, and NULL only in three-valued logic.
  ///
  /// A condition can fail on a row, for example because it divides. It can also fail on rows that the statement
  /// excludes later, so put the statement's own conditions before it.
  package func condition(_ expression: ValueExpression) throws -> SQLStatement {
    try typing(.filter).checkCondition(expression)
    var compilation = ExpressionCompilation(self, role: .filter)
    return try checked(compilation.condition(expression).sql, expression)
  }

  /// Returns the value of an expression for a row, to display it or to sort by it; an object is its key.
  ///
  /// - Returns: a scalar, and its type.
  package func value(_ expression: ValueExpression) throws -> (sql: SQLStatement, type: ExpressionType) {
    let type = try typing(.filter).scalarType(of: expression)
    var compilation = ExpressionCompilation(self, role: .filter)
    return (try checked(compilation.checked(compilation.piece(expression), expression).unmarked.sql, expression), type)
  }

  /// Returns the links from source rows of the entity to the source objects of an expression.
  ///
  /// - Parameter expression: the argument of `sourceInstances:`, such as `$source.items`; nested collections count as
  ///   their members.
  /// - Returns: a query with the columns `owner` (`Z_PK` of the source row), `target` (`Z_PK` of the object), `number`
  ///   (its `Z_ENT`) and `position` (its position in an ordered relationship, or NULL); all pairs are different.
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

  /// Returns SQL of a mapping, with the values of its `$source.key.path`.
  ///
  /// An object is its `Z_PK`, and a value is as in an expression: binary data has no mark of external storage.
  ///
  /// - Parameter attribute: the destination's attribute if the SQL gives its value. Then a value that the attribute
  ///   cannot have stops the statement, and SQL adds the mark of external storage if the column needs it.
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

/// The depth of parentheses that SQLite's parser can read.
enum SQLNesting {
  /// The depth that every SQLite reads.
  private static let safeDepth = 8
  /// The depth that a surrounding statement may add.
  private static let margin = 12

  /// False if the SQLite of this process cannot read the expression within a statement.
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

  /// Returns the depth of parentheses and `CASE`, or a larger number if texts contain such characters.
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

/// The result of a comparison with a missing value.
package enum PredicateLogic: Hashable, Sendable {
  /// True or false, as `NSPredicate` evaluates objects: `nil` equals only `nil`.
  case twoValued
  /// Unknown, as in a fetch from an SQLite store, except for a comparison with `nil` itself.
  ///
  /// A fetch leaves out an object for which the condition is unknown, also after `NOT`.
  ///
  /// Source: objects that a fetch with `!=` leaves out, at https://douglashill.co/nspredicate-null-inequality/.
  case threeValued

  /// Returns a comparison that is NULL in SQL if a value is missing.
  func comparison(_ sql: SQLStatement) -> SQLStatement { self == .twoValued ? "COALESCE(\(sql), 0)" : "(\(sql))" }

  /// The flag for a text function that returns NULL if a text is missing.
  package static let unknownFlag = 4

  /// The additional flags of a text function.
  var flags: Int { self == .twoValued ? 0 : Self.unknownFlag }
}

/// The policy of `$entityPolicy` in the expressions of a single entity mapping.
///
/// A function without an SQL replacement becomes a call of the SQL function
/// ``functionName```(class, selector, result, kinds, argument, …)`, which the caller registers:
/// - `class` and `selector` are texts;
/// - `result` is the name of the attribute type of the value, such as `Date`, or an empty text if the value is only a
///   part of an expression;
/// - `kinds` is a text with one word for each argument, joined by commas: the name of an attribute type, `Object`,
///   `Objects`, or `Unknown` for the result of a different policy call;
/// - each argument is in the form the store keeps: a date as seconds since 2001-01-01T00:00:00Z, a UUID as 16 bytes,
///   binary data without the mark of external storage. An object is the text `Entity:Z_PK` of its own entity, several
///   objects are such texts joined by commas, and a missing object is NULL.
///
/// The function returns the value in the same form.
package struct ExpressionPolicy: Hashable, Sendable {
  package static let functionName = "modelctl_policy"

  package var className: String
  /// The replacement of the policy; nil if the policy itself is available.
  package var replacement: PolicyReplacement?

  package init(className: String, replacement: PolicyReplacement? = nil) {
    (self.className, self.replacement) = (className, replacement)
  }
}
