import Foundation
package import GRDB
import GRDBSQLite

extension StoreWriter {
  /// Opens a further connection that reads the store while this one holds it.
  ///
  /// It takes no lock, which it need not because nobody else can write. SQLite keeps its file handle open until the lock
  /// is given up, so that closing the connection does not end the lock of the process.
  ///
  /// - Returns: nil where the file alone is not all of the store, because there is a write-ahead log.
  /// - Throws: `DatabaseError`.
  package func furtherReader() throws -> DatabaseQueue? {
    let logBytes = FileStatus(files.log)?.size ?? 0
    guard sqlite3_compileoption_used("USE_URI") != 0, logBytes == 0 else { return nil }
    let reader = try DatabaseQueue(
      path: ReadingAccess.immutable.connectionName(for: files.database),
      configuration: PairedReading.configuration(interruption: interruption))
    handleCount += 1
    return reader
  }
}
