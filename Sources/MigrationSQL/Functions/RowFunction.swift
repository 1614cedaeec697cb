import Foundation
package import GRDB
import GRDBSQLite

/// A function of stored values, for SQL by its name and for evaluation in memory.
package struct RowFunction: Sendable {
  let name: String
  let argumentCount: Int
  let call: @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?

  /// The data that a connection keeps about the function.
  private final class Registration: Sendable {
    let function: RowFunction

    init(_ function: RowFunction) { self.function = function }
  }

  /// Adds the function to a connection.
  ///
  /// SQLite passes complete texts, as for a ``TextFunction``.
  func register(in database: Database) {
    sqlite3_create_function_v2(
      database.sqliteConnection, name, Int32(argumentCount), SQLITE_UTF8 | SQLITE_DETERMINISTIC,
      Unmanaged.passRetained(Registration(self)).toOpaque(),
      { context, count, values in
        guard let registration = sqlite3_user_data(context), let values else { return sqlite3_result_null(context) }
        let function = Unmanaged<Registration>.fromOpaque(registration).takeUnretainedValue().function
        let arguments = (0..<Int(count)).map { values[$0].map(RowFunction.whole) ?? .null }
        do {
          RowFunction.give(try RowValueError.reported { try function.value(arguments) }, to: context)
        } catch {
          RowFunction.report(error, to: context)
        }
      }, nil, nil,
      { registration in
        guard let registration else { return }
        Unmanaged<Registration>.fromOpaque(registration).release()
      })
  }

  /// Returns the result; a floating-point result that is not a number is nil, as in SQLite.
  package func value(_ arguments: [DatabaseValue]) throws -> DatabaseValue {
    (try call(arguments)?.databaseValue ?? .null).settled
  }

  private static func whole(_ value: OpaquePointer) -> DatabaseValue {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return sqlite3_value_int64(value).databaseValue
    case SQLITE_FLOAT: return sqlite3_value_double(value).databaseValue
    case SQLITE_TEXT: return TextFunction.text(of: value)?.databaseValue ?? .null
    case SQLITE_BLOB:
      guard let bytes = sqlite3_value_blob(value) else { return Data().databaseValue }
      return Data(bytes: bytes, count: Int(sqlite3_value_bytes(value))).databaseValue
    default: return .null
    }
  }

  private static func give(_ result: DatabaseValue, to context: OpaquePointer?) {
    switch result.storage {
    case .null: sqlite3_result_null(context)
    case .int64(let number): sqlite3_result_int64(context, number)
    case .double(let number): sqlite3_result_double(context, number)
    case .string(let text): TextFunction.give(text, to: context)
    case .blob(let data):
      data.withUnsafeBytes { bytes in
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        guard let start = bytes.baseAddress else { return sqlite3_result_zeroblob(context, 0) }
        sqlite3_result_blob64(context, start, UInt64(bytes.count), copied)
      }
    }
  }

  private static func report(_ error: any Error, to context: OpaquePointer?) {
    guard let error = error as? DatabaseError else { return sqlite3_result_error(context, "\(error)", -1) }
    sqlite3_result_error(context, error.message ?? "", -1)
    sqlite3_result_error_code(context, error.extendedResultCode.rawValue)
  }
}

extension DatabaseValue {
  /// The value as SQLite keeps it: NaN is NULL.
  package var settled: DatabaseValue { if case .double(let number) = storage, number.isNaN { .null } else { self } }
}
