package import GRDB
import GRDBSQLite

/// Asks a closure now and then, while SQLite works on a connection, whether to stop.
package final class Interruption: Sendable {
  private let isWanted: @Sendable () -> Bool

  /// Makes an interruption; it must outlive the connections it is installed on.
  package init(when isWanted: @escaping @Sendable () -> Bool) {
    self.isWanted = isWanted
  }

  /// Asks now.
  var isRaised: Bool { isWanted() }

  /// Has SQLite ask every 4,000 of its instructions, which is well under a millisecond.
  package func install(on database: Database) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      database.sqliteConnection, 4_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().isWanted() ? 1 : 0
      }, context)
  }

  /// Has SQLite ask no more, so that what is decided is finished.
  package static func remove(from database: Database) {
    sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
  }
}
