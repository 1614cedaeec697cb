import Foundation
package import GRDB
import GRDBSQLite

/// A hostile file may have any type in any column, so the types of values are checked and never assumed.
extension Row {
  /// The value of a column if it is an integer, or a real number without a fraction.
  func integer(_ position: Int) -> Int64? {
    switch storage(position) {
    case .int64(let value)?: value
    case .double(let value)?: Int64(exactly: value)
    default: nil
    }
  }

  /// The value of a column if it is text.
  func text(_ position: Int) -> String? {
    guard case .string(let value)? = storage(position) else { return nil }
    return value
  }

  /// The value of a column if it is a blob.
  func blob(_ position: Int) -> Data? {
    guard case .blob(let value)? = storage(position) else { return nil }
    return value
  }

  private func storage(_ position: Int) -> DatabaseValue.Storage? {
    guard position < count else { return nil }
    let value: DatabaseValue = self[position]
    return value.storage
  }
}

extension Database {
  /// Removes GRDB's authorizer, which records each column that a statement reads.
  ///
  /// This takes an eighth of the time of a small migration.
  ///
  /// It serves observers and GRDB's schema cache. Connections to stores have no observers and do not use that cache.
  package func removeAuthorizer() { sqlite3_set_authorizer(sqliteConnection, nil, nil) }

  /// The journal mode, such as `wal`.
  package var journalMode: String { get throws { try String.fetchOne(self, sql: "PRAGMA journal_mode") ?? "delete" } }

  /// Changes the journal mode.
  ///
  /// The statement is run to its end, because it commits after its only row and reports a failing disk there.
  ///
  /// - Parameter mode: the mode, such as `WAL`.
  /// - Returns: the resulting mode; it differs if another process has the database open.
  @discardableResult
  package func changeJournalMode(to mode: String) throws -> String {
    try String.fetchAll(self, sql: "PRAGMA journal_mode = \(mode)").first ?? "unknown"
  }
}
