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
  /// - Parameter argumentCount: how many of `$1`, `$2` … there are.
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

/// Answers SQLite, while it compiles SQL of a mapping, whether it may do what it is asked to.
///
/// SQL that somebody wrote may read the source row and nothing else: the other tables are half built when it runs. The
/// key paths in it, once compiled, read the rows they lead to.
final class SQLSnippetWatch {
  /// Why SQLite was told no, for the first time.
  private(set) var denied: SQLSnippetError.Reason?
  /// The table of the source row, nil for SQL that may read others.
  private let table: String?
  private var selectCount = 0

  /// Functions that reach beyond the row, give another value each time, or make values of any size from nothing.
  private static let refusedFunctions: Set<String> = [
    "load_extension", "random", "randomblob", "zeroblob", "readfile", "writefile", "edit", "fts3_tokenizer", "changes",
    "total_changes", "last_insert_rowid",
  ]

  init(table: String?) { self.table = table }

  /// The answer to one of SQLite's questions.
  ///
  /// - Parameter second: the name of a function that is to be called.
  /// - Returns: `SQLITE_OK` or `SQLITE_DENY`.
  func answer(to action: Int32, _ first: String?, _ second: String?) -> Int32 {
    switch action {
    case SQLITE_SELECT:
      selectCount += 1
      return table == nil || selectCount == 1 ? SQLITE_OK : deny(.subselect)
    case SQLITE_RECURSIVE: return deny(.subselect)
    case SQLITE_READ:
      guard let table, let first, first.lowercased() != table.lowercased() else { return SQLITE_OK }
      return deny(.subselect)
    case SQLITE_FUNCTION:
      guard let second, Self.refusedFunctions.contains(second.lowercased()) else { return SQLITE_OK }
      return deny(.function(second.lowercased()))
    default: return deny(.notReading)
    }
  }

  private func deny(_ reason: SQLSnippetError.Reason) -> Int32 {
    denied = denied ?? reason
    return SQLITE_DENY
  }
}

/// Why SQL in a mapping is not the value of a row.
public struct SQLSnippetError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    case empty
    case unclosed(String)
    case unbalanced
    case several
    case parameter(String)
    case unknownVariable(String)
    case missingArgument(Int, count: Int)
    case collection(String)
    case tooLong(limit: Int)
    case refused(String)
    case notReading
    case subselect
    case function(String)
  }

  /// The SQL as it was given.
  public var sql: String
  /// What is wrong.
  public var reason: Reason
}

extension SQLSnippetError: CustomStringConvertible {
  /// The SQL, the cause and what to write instead.
  public var description: String { "sql “\(sql.prefix(200))”: \(cause)" }

  private var cause: String {
    switch reason {
    case .empty: "there is nothing in it; write one SQL expression"
    case .unclosed(let mark): "a \(mark) is not closed"
    case .unbalanced: "its parentheses do not match"
    case .several: "it is more than one statement; write one SQL expression"
    case .parameter(let name): "\(name) is a parameter nobody gives a value; write $source.key, or a value"
    case .unknownVariable(let name):
      "there is no $\(name); write $source.key, or $1, $2 … in place of a policy's function"
    case .missingArgument(let number, let count): "$\(number) is not there; the function has \(count) arguments"
    case .collection(let name):
      "\(name) gives several values; take one with a collection operator, such as @count or @sum.key"
    case .tooLong(let limit): "it is longer than \(limit) bytes"
    case .refused(let message): "SQLite says: \(message)"
    case .subselect:
      """
      a sub-select would read tables while they are rebuilt; use a key path such as $source.rows.@sum.price
      """
    case .function(let name):
      "\(name)() is not for mappings; write an expression that only computes, and gives the same for the same row"
    case .notReading: "it does more than read the store; write one SQL expression that only reads"
    }
  }
}
