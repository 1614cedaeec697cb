import PersistentStores

/// How much a migration has to do: what its time and its disk grow with.
public struct MigrationWork: Hashable, Sendable {
  /// How the plan is run.
  public var strategy: MigrationStrategy
  /// The rows of the store.
  public var rows: Int
  /// How many rows the steps touch, added up.
  public var touchedRows: Int
  /// The size of the store's content in bytes.
  public var bytes: Int64

  /// Makes an amount of work.
  public init(strategy: MigrationStrategy, rows: Int, touchedRows: Int, bytes: Int64) {
    self.strategy = strategy
    self.rows = rows
    self.touchedRows = touchedRows
    self.bytes = bytes
  }

  /// What time grows with: every row is read to be checked, and once more by every step that touches it; 0 when no step
  /// touches any.
  public var units: Int { touchedRows == 0 ? 0 : rows.addingReportingOverflow(touchedRows).partialValue }

  /// How much of the content the steps write anew, from 0 to 1; what several steps touch counts once.
  var rewrittenShare: Double { rows == 0 ? 0 : min(1, Double(touchedRows) / Double(rows)) }

  /// The bytes that are written, nearly.
  ///
  /// A copy is the content once, and what is rewritten of it once more. In the store itself what is rewritten is
  /// written twice: into a journal or log, and into the file.
  public var bytesToWrite: Int64 {
    let rewritten = Int64(Double(max(0, bytes)) * rewrittenShare)
    return strategy == .clone ? bytes + rewritten : rewritten * 2
  }

  /// The bytes that must be free beside the store: for a copy and the tables that are made anew in it, or for the
  /// journal or log.
  public var freeBytesNeeded: Int64 {
    strategy == .clone ? bytes.multipliedReportingOverflow(by: 2).partialValue : bytesToWrite / 2
  }
}

extension PreparedMigration {
  /// How much is to be done; nil when there is nothing to run.
  public var work: MigrationWork? {
    guard let strategy else { return nil }
    return MigrationWork(
      strategy: strategy, rows: snapshot.tables.reduce(0) { $0 + $1.rowCount },
      touchedRows: stages.reduce(0) { $0 + $1.plan.touchedRows }, bytes: snapshot.byteCount)
  }
}
