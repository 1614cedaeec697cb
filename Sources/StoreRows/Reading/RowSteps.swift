package import GRDB
import GRDBSQLite

/// Steps through the rows of a statement without making values of them.
package final class RowSteps {
  /// The row that the last step led to.
  package let row: SteppedRow
  private let statement: Statement

  /// Begins before the first row.
  ///
  /// - Throws: `DatabaseError`.
  package init(_ sql: String, arguments: StatementArguments = [], in database: Database) throws {
    statement = try database.makeStatement(sql: sql)
    try statement.setArguments(arguments)
    row = SteppedRow(statement: statement.sqliteStatement)
  }

  deinit { sqlite3_reset(row.statement) }

  /// Goes to the next row; false after the last one.
  ///
  /// - Throws: `DatabaseError`.
  package func next() throws -> Bool {
    switch sqlite3_step(row.statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let connection = sqlite3_db_handle(row.statement)
      throw DatabaseError(
        resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
        message: sqlite3_errmsg(connection).map { String(cString: $0) })
    }
  }
}
