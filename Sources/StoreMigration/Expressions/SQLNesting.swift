import GRDBSQLite

/// Whether SQLite can read SQL at all: its parser gives up where parentheses stand too deep in one another.
enum SQLNesting {
  /// Up to this depth every SQLite reads what expressions become.
  private static let safeDepth = 8
  /// What the statement around an expression may add.
  private static let margin = 12

  /// False when the SQLite of this process cannot read an expression within a statement.
  static func isReadable(_ sql: SQLStatement) -> Bool {
    let text = sql.text
    guard depth(of: text) > safeDepth else { return true }
    var connection: OpaquePointer?
    defer { sqlite3_close_v2(connection) }
    guard sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { return true }
    let opening = String(repeating: "(", count: margin)
    let closing = String(repeating: ")", count: margin)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let code = sqlite3_prepare_v3(connection, "SELECT \(opening)\(text)\(closing)", -1, 0, &statement, nil)
    guard code == SQLITE_ERROR, let message = sqlite3_errmsg(connection) else { return code != SQLITE_NOMEM }
    let words = String(cString: message)
    return !words.contains("stack overflow") && !words.contains("too large") && !words.contains("too complex")
  }

  /// How deep parentheses and `CASE` stand, where texts may make it seem deeper.
  private static func depth(of text: String) -> Int {
    var depth = 0
    var most = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "(") { depth += 1 } else if byte == UInt8(ascii: ")") { depth -= 1 }
      most = max(most, depth)
    }
    return most
  }
}
