import Foundation
package import GRDB
import GRDBSQLite

/// Reads a store that this process holds exclusively over a further connection, beside the one that holds it.
///
/// The further connection takes no lock, which it need not because nobody else can write. SQLite keeps its file handle
/// open until the lock is given up, so that closing the connection does not end the lock of the process.
package enum HeldStore {
  /// Opens the connection.
  ///
  /// - Parameters:
  ///   - database: the real path of the store's file.
  ///   - interruption: asked often while SQLite works.
  /// - Returns: nil where the file alone is not all of the store, because there is a write-ahead log.
  /// - Throws: `DatabaseError`.
  package static func reader(of database: String, interruption: Interruption?) throws -> DatabaseQueue? {
    let logBytes = FileStatus(database + "-wal")?.size ?? 0
    guard sqlite3_compileoption_used("USE_URI") != 0, logBytes == 0 else { return nil }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.foreignKeysEnabled = false
    configuration.label = "modelctl.held"
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA temp_store = FILE")
      try database.execute(sql: "PRAGMA cache_size = -1000")
      interruption?.install(on: database)
    }
    return try DatabaseQueue(
      path: ReadingAccess.immutable.connectionName(for: database), configuration: configuration)
  }
}
