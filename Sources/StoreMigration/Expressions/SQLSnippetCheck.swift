import GRDB
import GRDBSQLite
import MappingModels
import ModelDescription
import PersistentStores

/// Asks SQLite, in a database in memory that has the source's tables and no rows, whether SQL in a mapping is one
/// expression over a source row that only reads.
package struct SQLSnippetCheck {
  private let source: StoreModel
  private let queue: DatabaseQueue

  /// Makes the tables.
  ///
  /// - Parameter source: the model and the tables of the source.
  /// - Throws: `DatabaseError` when they cannot be made.
  package init(source: StoreModel) throws {
    self.source = source
    queue = try DatabaseQueue()
    try queue.write { database in
      for table in source.layout.tables { try database.execute(sql: table.createStatement) }
    }
    queue.writeWithoutTransaction { database in
      ConversionFunctions(store: "").register(in: database)
      ExpressionFunctions.register(in: database)
    }
  }

  /// Checks SQL.
  ///
  /// - Parameters:
  ///   - sql: the SQL as the mapping holds it.
  ///   - entity: the source entity.
  ///   - argumentCount: how many of `$1`, `$2` … there are.
  /// - Throws: ``SQLSnippetError``, or `ExpressionTypeError` for a key path in it.
  package func check(_ sql: String, entity: String, argumentCount: Int = 0) throws {
    let snippet = try SQLSnippet(sql)
    let compiler = ExpressionCompiler(source: source, entity: entity, row: "source", now: 0)
    var compilation = ExpressionCompilation(compiler, role: .attribute)
    let arguments = [SQLStatement](repeating: "NULL", count: argumentCount)
    let text = try compilation.bareSnippet(snippet, arguments: arguments)
    guard let table = source.table(ofEntity: entity) else { return }
    // Only one expression can stand in a CAST, and no aggregate over many rows in a WHERE.
    let statement: SQLStatement = """
      SELECT 1 FROM \(name: table.name) AS \(name: "source") WHERE CAST(\(text) AS BLOB)
      """
    try queue.writeWithoutTransaction { database in
      try prepare(statement.text, of: sql, on: database.sqliteConnection)
    }
  }

  private func prepare(_ statement: String, of sql: String, on connection: OpaquePointer?) throws {
    sqlite3_set_authorizer(connection, { _, action, _, _, _, _ in Self.answer(to: action) }, nil)
    defer { sqlite3_set_authorizer(connection, nil, nil) }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, statement, -1, 0, &prepared, nil)
    defer { sqlite3_finalize(prepared) }
    guard code != SQLITE_OK || prepared == nil else { return }
    let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "no message"
    let isDenied = code == SQLITE_AUTH || message.contains("not authorized")
    throw SQLSnippetError(sql: sql, reason: isDenied ? .notReading : .refused(message))
  }

  private static func answer(to action: Int32) -> Int32 {
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE: SQLITE_OK
    default: SQLITE_DENY
    }
  }
}
