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
    func statement(_ text: SQLStatement) -> String {
      ("SELECT 1 FROM \(name: table.name) AS \(name: "source") WHERE CAST(\(text) AS BLOB)" as SQLStatement).text
    }
    try queue.writeWithoutTransaction { database in
      let connection = database.sqliteConnection
      let outline = statement(ExpressionCompilation.outline(of: snippet))
      try prepare(outline, of: sql, on: connection, SQLSnippetWatch(table: table.name))
      try prepare(statement(text), of: sql, on: connection, SQLSnippetWatch(table: nil))
    }
  }

  private func prepare(
    _ statement: String, of sql: String, on connection: OpaquePointer?, _ watch: SQLSnippetWatch
  ) throws {
    let context = Unmanaged.passUnretained(watch).toOpaque()
    let code = withExtendedLifetime(watch) {
      sqlite3_set_authorizer(
        connection,
        { context, action, first, second, _, _ in
          guard let context else { return SQLITE_DENY }
          let watch = Unmanaged<SQLSnippetWatch>.fromOpaque(context).takeUnretainedValue()
          return watch.answer(to: action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
        }, context)
      defer { sqlite3_set_authorizer(connection, nil, nil) }
      var prepared: OpaquePointer?
      defer { sqlite3_finalize(prepared) }
      let code = sqlite3_prepare_v3(connection, statement, -1, 0, &prepared, nil)
      return code == SQLITE_OK && prepared == nil ? SQLITE_ERROR : code
    }
    guard code != SQLITE_OK else { return }
    let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "no message"
    throw SQLSnippetError(sql: sql, reason: watch.denied ?? .refused(message))
  }
}
