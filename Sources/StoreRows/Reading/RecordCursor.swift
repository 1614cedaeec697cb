import GRDB
import GRDBSQLite
import MigrationSQL

/// Gives the objects of a request one after the other, in flat memory, while the reading that made it lasts.
public final class RecordCursor {
  private let steps: RecordSteps

  init(_ statement: Statement, _ decoding: RecordDecoding) { steps = RecordSteps(statement, decoding) }

  /// The next object; nil after the last one.
  ///
  /// - Throws: ``RecordValueError`` for a value that its column cannot hold, `DatabaseError`.
  public func next() throws -> ObjectRecord? { try steps.next() }
}

extension RecordReading {
  /// The objects that a request asks for, to be taken one by one.
  ///
  /// - Parameter request: what is asked for.
  /// - Returns: the objects, which can be taken on the connection of the reading only.
  /// - Throws: ``RecordRequestError``, `DatabaseError`.
  public func cursor(_ request: RecordRequest) throws -> RecordCursor { try cursor(request, only: nil) }

  func cursor(_ request: RecordRequest, only filter: KeyFilter?) throws -> RecordCursor {
    let plan = try RecordPlan(request, of: store, only: filter, now: now)
    let decoding = RecordDecoding(plan: plan, layout: store.layout, entity: request.entity)
    let statement = try database.makeStatement(sql: plan.statement.text)
    statement.arguments = plan.statement.databaseArguments
    return RecordCursor(statement, decoding)
  }
}

/// Steps through the rows of a statement.
private final class RecordSteps: DatabaseCursor {
  typealias Element = ObjectRecord

  var _isDone = false
  let _statement: Statement
  private let decoding: RecordDecoding

  init(_ statement: Statement, _ decoding: RecordDecoding) {
    (_statement, self.decoding) = (statement, decoding)
  }

  func _element(sqliteStatement: SQLiteStatement) throws -> ObjectRecord {
    try decoding.record(SteppedRow(statement: sqliteStatement))
  }
}
