import GRDB
import GRDBSQLite
import PersistentStores

extension StoreWriter {
  /// Checks that the path still names the file that is held.
  ///
  /// Who waited for the lock while another process put a new file in the store's place holds the old file, its backup.
  ///
  /// - Throws: `StoreError.changedWhileReading` when another file is there, or none.
  func checkPlace() throws {
    let hasMoved = try access { database in
      var answer: Int32 = 0
      let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
      return code == SQLITE_OK && answer != 0
    }
    if hasMoved { throw StoreError.changedWhileReading(path: path) }
  }
}
