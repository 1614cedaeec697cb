import GRDBSQLite

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

  init(table: String?) {
    self.table = table
  }

  /// The answer to one of SQLite's questions.
  ///
  /// - Parameters:
  ///   - action: what it asks for.
  ///   - first: the table of a column that is to be read.
  ///   - second: the name of a function that is to be called.
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
