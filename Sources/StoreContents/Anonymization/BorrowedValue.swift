import GRDBSQLite

/// A value in memory of somebody else, such as that of the row that a statement stands on: nothing is copied.
enum BorrowedValue {
  case null
  case integer(Int64)
  case real(Double)
  /// UTF-8, or what a column holds in its place.
  case text(UnsafeBufferPointer<UInt8>)
  case blob(UnsafeRawBufferPointer)

  /// The value of a column of the row that a statement stands on, until it leaves the row.
  init(_ statement: OpaquePointer, _ column: Int32) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let bytes = sqlite3_column_text(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      self = .text(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      self = .blob(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    default: self = .null
    }
  }

  /// Gives a statement the value, whose memory must stay until the statement has run.
  ///
  /// - Returns: SQLite's result code.
  func bind(at position: Int32, of statement: OpaquePointer) -> Int32 {
    switch self {
    case .null: return sqlite3_bind_null(statement, position)
    case .integer(let number): return sqlite3_bind_int64(statement, position, number)
    case .real(let number): return sqlite3_bind_double(statement, position, number)
    case .text(let text):
      return text.withMemoryRebound(to: CChar.self) { bytes in
        guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, position, "", 0, nil) }
        return sqlite3_bind_text64(statement, position, start, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
      }
    case .blob(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, position, 0) }
      return sqlite3_bind_blob64(statement, position, bytes.baseAddress, UInt64(bytes.count), nil)
    }
  }
}
