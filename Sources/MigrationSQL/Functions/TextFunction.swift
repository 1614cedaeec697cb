import GRDB
import GRDBSQLite

/// A function from a text to a text, for SQL by its name and for evaluation in memory.
///
/// SQLite passes the complete text. GRDB would end the texts that it passes to a function, and the results, at their
/// first NUL.
package final class TextFunction: Sendable {
  /// The functions, which connections refer to during the lifetime of the program.
  package static let all = [
    TextFunction("modelctl_canonical") { StringCollation(ignoresCase: true, ignoresDiacritics: true).folded($0) },
    TextFunction("modelctl_uppercase") { $0.uppercased() },
    TextFunction("modelctl_lowercase") { $0.lowercased() },
  ]

  package let name: String
  package let call: @Sendable (String) -> String

  private init(_ name: String, _ call: @escaping @Sendable (String) -> String) { (self.name, self.call) = (name, call) }

  func register(in database: Database) {
    sqlite3_create_function_v2(
      database.sqliteConnection, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
      Unmanaged.passUnretained(self).toOpaque(),
      { context, _, values in
        guard let function = sqlite3_user_data(context), let value = values?[0], let text = TextFunction.text(of: value)
        else { return sqlite3_result_null(context) }
        let call = Unmanaged<TextFunction>.fromOpaque(function).takeUnretainedValue().call
        TextFunction.give(call(text), to: context)
      }, nil, nil, nil)
  }

  /// The text that a value is, or that its bytes are; nil for any other.
  static func text(of value: OpaquePointer) -> String? {
    switch sqlite3_value_type(value) {
    case SQLITE_TEXT:
      guard let start = sqlite3_value_text(value) else { return nil }
      let units = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      return String(decoding: units, as: UTF8.self)
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      return String(validating: bytes, as: UTF8.self)
    default: return nil
    }
  }

  /// Returns a text to SQLite with its complete length.
  static func give(_ result: String, to context: OpaquePointer?) {
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    var text = result
    text.withUTF8 { units in
      units.withMemoryRebound(to: CChar.self) { bytes in
        guard let start = bytes.baseAddress else { return sqlite3_result_text(context, "", 0, copied) }
        sqlite3_result_text64(context, start, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
      }
    }
  }
}
