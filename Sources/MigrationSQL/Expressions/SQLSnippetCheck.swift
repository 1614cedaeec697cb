import GRDB
import GRDBSQLite
import MappingModels
public import ModelDescription
import PersistentStores

/// Checks that SQL in a mapping is one expression over a source row that only reads.
///
/// SQLite compiles the SQL in an in-memory database that has the source's tables without rows.
package struct SQLSnippetCheck {
  private let source: StoreModel
  private let queue: DatabaseQueue

  /// Creates the database and its tables.
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
  /// - Parameter argumentCount: the number of arguments `$1`, `$2` …
  package func check(_ sql: String, entity: String, argumentCount: Int = 0) throws {
    let snippet = try SQLSnippet(sql)
    let compiler = ExpressionCompiler(source: source, entity: entity, row: "source", now: 0)
    var compilation = ExpressionCompilation(compiler, role: .attribute)
    let arguments = [SQLStatement](repeating: "NULL", count: argumentCount)
    let text = try compilation.bareSnippet(snippet, arguments: arguments)
    guard let table = source.table(ofEntity: entity) else { return }
    // CAST takes only one expression, and WHERE does not allow aggregates over many rows.
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

/// SQLite's authorizer during the compilation of SQL of a mapping.
///
/// SQL that you write may read only the source row, because the other tables are half built when it runs. The compiled key
/// paths in the SQL read other rows.
final class SQLSnippetWatch {
  /// The reason of the first denial.
  private(set) var denied: SQLSnippetError.Reason?
  /// The table of the source row; nil for SQL that may read other tables.
  private let table: String?
  private var selectCount = 0

  /// Functions that reach beyond the row, give a different value each time, or create values of any size.
  private static let refusedFunctions: Set<String> = [
    "load_extension", "random", "randomblob", "zeroblob", "readfile", "writefile", "edit", "fts3_tokenizer", "changes",
    "total_changes", "last_insert_rowid",
  ]

  init(table: String?) { self.table = table }

  /// Decides if SQLite may do an action.
  ///
  /// - Parameter second: the name of a function that SQLite would call.
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

/// The reason that SQL in a mapping is not a value of a row.
public struct SQLSnippetError: Error, Hashable, Sendable {
  /// The reason of an SQL error.
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

  /// The SQL of the mapping.
  public var sql: String
  /// The reason of the error.
  public var reason: Reason
}

extension SQLSnippetError: AdvisedError {
  /// The beginning of the SQL.
  public var place: String? { "sql “\(sql.prefix(200))”" }

  /// The cause as a sentence.
  public var cause: String { words.cause }

  /// The text to write instead.
  public var advice: Advice? { words.advice }

  private var words: ErrorWords {
    switch reason {
    case .empty: .init("the SQL is empty", "write one SQL expression")
    case .unclosed(let mark): .init("a \(mark) is not closed")
    case .unbalanced: .init("the parentheses do not match")
    case .several: .init("the SQL is more than one statement", "write one SQL expression")
    case .parameter(let name): .init("the parameter \(name) has no value", "write $source.key, or a value")
    case .unknownVariable(let name):
      .init("unknown variable $\(name)", "write $source.key, or $1, $2 … in place of a policy's function")
    case .missingArgument(let number, let count):
      .init("$\(number) does not exist: the function has \(count) \(count == 1 ? "argument" : "arguments")")
    case .collection(let name):
      .init("\(name) gives several values", "use a collection operator, such as @count or @sum.key")
    case .tooLong(let limit): .init("the SQL is longer than \(limit) bytes")
    case .refused(let message): .init("SQLite reports: \(message)")
    case .subselect:
      .init(
        "a sub-select would read tables while they are rebuilt", "use a key path such as $source.rows.@sum.price")
    case .function(let name):
      .init("mappings cannot use \(name)()", "write an expression that always gives the same value for the same row")
    case .notReading: .init("the SQL does more than read the store", "write one SQL expression that only reads")
    }
  }
}
