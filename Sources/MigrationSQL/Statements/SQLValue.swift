package import Foundation
package import GRDB
import GRDBSQLite
public import ModelDescription

/// A value as SQLite keeps it.
public enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// An exact number as a column of exact numbers keeps it.
  package static func decimal(_ number: Decimal) -> SQLValue {
    let text = number.description
    return Int64(text).map(SQLValue.integer) ?? Double(text).map(SQLValue.real) ?? .text(text)
  }

  package static func number(_ number: Int) -> SQLValue { .integer(Int64(number)) }

  /// The value as an SQL literal, so that a printed plan equals the statements that run.
  public var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): number.isFinite ? String(number) : "NULL"
    case .text(let text) where hasNUL: "CAST(\(SQLValue.blob(Array(text.utf8)).literal) AS TEXT)"
    case .text(let text): "'" + text.replacing("'", with: "''") + "'"
    case .blob(let bytes): "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }

  /// True for a text that GRDB and SQLite's shell end before its end.
  var hasNUL: Bool {
    guard case .text(let text) = self else { return false }
    return text.utf8.contains(0)
  }

  /// The value's placeholder in a statement, for which ``argument`` is bound.
  var mark: String { hasNUL ? "CAST(? AS TEXT)" : "?" }

  /// The maximum number of bytes that are shown completely.
  private static let shownBytes = 24

  /// The value for readers: the beginning of long bytes, with their count.
  var shortLiteral: String {
    guard case .blob(let bytes) = self, bytes.count > Self.shownBytes else { return literal }
    return SQLValue.blob(Array(bytes.prefix(8))).literal.dropLast() + "…' /* \(bytes.count) bytes */"
  }
}

extension SQLValue {
  /// A value of an attribute as Core Data stores it; binary data without the marker of external storage.
  ///
  /// Source: the table of types in the description of Core Data's SQLite layout.
  public init(_ value: AttributeValue) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .decimal(let number): self = .text(number.description)
    case .double(let number), .date(let number): self = .real(number)
    case .string(let text), .uri(let text): self = .text(text)
    case .boolean(let flag): self = .integer(flag ? 1 : 0)
    case .binary(let data): self = .blob(Array(data))
    case .uuid(let uuid): self = .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    }
  }
}

extension Statement {
  /// Runs a statement that gives no rows, such as an `INSERT` that is prepared once for many rows.
  ///
  /// GRDB ends a text at its first NUL, and makes two lists of the values of each row.
  package func run(_ values: [SQLValue]) throws {
    try run { statement in
      guard Int(sqlite3_bind_parameter_count(statement)) == values.count else { return SQLITE_MISUSE }
      var position: Int32 = 0
      for value in values {
        position += 1
        let code = value.bind(at: position, of: statement)
        guard code == SQLITE_OK else { return code }
      }
      return SQLITE_OK
    }
  }

  /// Runs a statement without rows, with values whose buffers need not outlive the call.
  ///
  /// - Parameter bind: binds a value to each question mark of the statement, and returns SQLite's result code.
  package func run(binding bind: (_ statement: OpaquePointer) throws -> Int32) throws {
    let statement = sqliteStatement
    defer { sqlite3_reset(statement) }
    let bound = try bind(statement)
    guard bound == SQLITE_OK else { throw failure(bound) }
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE || code == SQLITE_ROW else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    let connection = sqlite3_db_handle(sqliteStatement)
    guard code != SQLITE_MISUSE, let message = sqlite3_errmsg(connection) else {
      return DatabaseError(resultCode: ResultCode(rawValue: code), sql: sql)
    }
    return DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)), message: String(cString: message),
      sql: sql)
  }
}

extension SQLValue {
  /// Binds the value so that SQLite copies it.
  fileprivate func bind(at position: Int32, of statement: OpaquePointer) -> Int32 {
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch self {
    case .null: return sqlite3_bind_null(statement, position)
    case .integer(let number): return sqlite3_bind_int64(statement, position, number)
    case .real(let number): return sqlite3_bind_double(statement, position, number)
    case .text(var text):
      return text.withUTF8 { units in
        units.withMemoryRebound(to: CChar.self) { bytes in
          guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, position, "", 0, copied) }
          return sqlite3_bind_text64(statement, position, start, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, position, 0) }
      return sqlite3_bind_blob64(statement, position, bytes, UInt64(bytes.count), copied)
    }
  }
}
