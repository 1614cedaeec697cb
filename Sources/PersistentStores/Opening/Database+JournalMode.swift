package import GRDB

extension Database {
  /// The journal mode, such as `wal`.
  package var journalMode: String {
    get throws { try String.fetchOne(self, sql: "PRAGMA journal_mode") ?? "delete" }
  }

  /// Changes the journal mode.
  ///
  /// The statement is run to its end: it commits after its only row, and fails there when the disk does.
  ///
  /// - Parameter mode: such as `WAL`.
  /// - Returns: the mode it has now, another one when somebody else has the database open.
  /// - Throws: `DatabaseError`.
  @discardableResult
  package func changeJournalMode(to mode: String) throws -> String {
    try String.fetchAll(self, sql: "PRAGMA journal_mode = \(mode)").first ?? "unknown"
  }
}
