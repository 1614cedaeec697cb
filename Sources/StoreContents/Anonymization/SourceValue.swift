import Foundation
import GRDBSQLite

/// The value of a column of the row that a statement stands on.
enum SourceValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  init(_ statement: OpaquePointer, _ column: Int32) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let bytes = sqlite3_column_text(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      self = .text(String(decoding: UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count), as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      self = .blob(bytes.map { Data(bytes: $0, count: count) } ?? Data())
    default: self = .null
    }
  }
}
