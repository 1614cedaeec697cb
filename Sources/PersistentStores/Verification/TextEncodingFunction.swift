import CSQLiteConnection
import GRDB

/// The SQL function that says whether a text is UTF-8, which SQLite never asks.
///
/// It looks at the bytes where SQLite has them, because it is called for every text of a store.
enum TextEncodingFunction {
  /// What SQL calls it.
  static let name = "modelctl_is_utf8"

  /// Adds the function to a connection.
  ///
  /// - Parameter database: the connection, which may have it already.
  static func register(in database: Database) {
    // Where statements are running, SQLite refuses to replace a function by itself, and the one that is there stays.
    _ = modelctl_add_is_utf8(database.sqliteConnection)
  }
}
