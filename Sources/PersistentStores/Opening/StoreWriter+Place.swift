package import GRDB
import GRDBSQLite

extension StoreWriter {
  /// Checks that the path still names the file that is held.
  ///
  /// - Throws: ``StoreError/changedWhileReading(path:)`` when another file is there, or none.
  package func checkPlace() throws {
    if try access(Self.hasMoved) { throw StoreError.changedWhileReading(path: path) }
  }

  /// True when another file has taken the place of the one that is open: a migration that ended while this one waited.
  package static func hasMoved(_ database: Database) throws -> Bool {
    var answer: Int32 = 0
    let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    guard code == SQLITE_OK || code == SQLITE_NOTFOUND else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    return answer != 0
  }
}
