package import GRDB
import GRDBSQLite
import PersistentStores

/// Converts the rows of a plan to records.
struct RecordDecoding {
  let plan: RecordPlan
  let layout: SQLStoreLayout
  /// The requested entity; rows with an unknown entity number count as rows of this entity.
  let entity: String

  func record(_ row: SteppedRow) throws(RecordValueError) -> ObjectRecord {
    let key = row.integer(0) ?? 0
    let id = RecordID(entity: name(ofNumber: row.integer(1)) ?? entity, key: key)
    var values = [String: RecordValue](minimumCapacity: plan.columns.count)
    for column in plan.columns { values[column.name] = try value(of: column, row, id) }
    return ObjectRecord(id: id, version: row.integer(2), values: values)
  }

  private func name(ofNumber number: Int64?) -> String? {
    number.flatMap { Int(exactly: $0) }.flatMap(layout.entity(number:))
  }

  private func value(of column: RecordColumn, _ row: SteppedRow, _ id: RecordID) throws(RecordValueError) -> RecordValue
  {
    switch column.content {
    case .value(let type, let isMarked):
      guard let value = row.value(column.position, type, isMarked: isMarked) else {
        throw RecordValueError(object: id, property: column.name, expected: type)
      }
      return value
    case .composite(let elements):
      var values: [String: RecordValue] = [:]
      for element in elements { values[element.name] = try value(of: element, row, id) }
      // The row looks the same for a composite that is nil and for one whose elements all are.
      return values.values.allSatisfy { $0 == .null } ? .null : .composite(values)
    case .object(let destination):
      guard let key = row.integer(column.position) else { return .null }
      return .object(RecordID(entity: name(ofNumber: row.integer(column.position + 1)) ?? destination, key: key))
    }
  }
}

/// Steps through the rows of a statement without making values of them.
package final class StoredRowCursor {
  package let row: SteppedRow
  private let statement: Statement

  /// Begins before the first row.
  package init(_ sql: String, arguments: StatementArguments = [], in database: Database) throws {
    statement = try database.makeStatement(sql: sql)
    try statement.setArguments(arguments)
    row = SteppedRow(statement: statement.sqliteStatement)
  }

  deinit { sqlite3_reset(row.statement) }

  /// Moves to the next row; false after the last row.
  package func next() throws -> Bool {
    switch sqlite3_step(row.statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let connection = sqlite3_db_handle(row.statement)
      throw DatabaseError(
        resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
        message: sqlite3_errmsg(connection).map { String(cString: $0) })
    }
  }
}
