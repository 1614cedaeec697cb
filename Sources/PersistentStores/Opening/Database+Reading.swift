import Foundation
package import GRDB
import GRDBSQLite

/// A hostile file may hold any type in any column, so values are asked for and never assumed.
extension Row {
  /// The value of a column when it is an integer, or a real number without a fraction.
  func integer(_ position: Int) -> Int64? {
    switch storage(position) {
    case .int64(let value)?: value
    case .double(let value)?: Int64(exactly: value)
    default: nil
    }
  }

  /// The value of a column when it is text.
  func text(_ position: Int) -> String? {
    guard case .string(let value)? = storage(position) else { return nil }
    return value
  }

  /// The value of a column when it is a blob.
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
  /// Takes GRDB's authorizer away, which notes each column that a statement reads: an eighth of the work of a small
  /// migration.
  ///
  /// It serves observers and GRDB's memory of the schema. Connections to stores have no observers, and nothing asks them
  /// through GRDB what the schema is.
  package func removeAuthorizer() { sqlite3_set_authorizer(sqliteConnection, nil, nil) }

  /// The journal mode, such as `wal`.
  package var journalMode: String { get throws { try String.fetchOne(self, sql: "PRAGMA journal_mode") ?? "delete" } }

  /// Changes the journal mode.
  ///
  /// The statement is run to its end: it commits after its only row, and fails there when the disk does.
  ///
  /// - Parameter mode: such as `WAL`.
  /// - Returns: the mode it has now, another one when somebody else has the database open.
  @discardableResult
  package func changeJournalMode(to mode: String) throws -> String {
    try String.fetchAll(self, sql: "PRAGMA journal_mode = \(mode)").first ?? "unknown"
  }
}
