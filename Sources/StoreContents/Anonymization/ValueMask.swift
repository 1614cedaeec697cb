import GRDBSQLite
import MappingModels
import MigrationSQL
import ModelDescription

/// The tools to mask the values of all columns of a copy.
struct ValueMask {
  let key: KeyedHash
  let texts: TextMask
  let shifts: [String: NumberShift]
  let expressions = RegularExpressions()
  /// Writes a file of external data under another name with other content, and returns the name.
  let externalFile: (_ name: String) throws -> String
  /// Copies a file of external data unchanged.
  let keptFile: (_ name: String) throws -> Void

  /// The number of results to try until one matches a regular expression.
  private static let tries = 12

  /// Another text that matches the same regular expressions.
  func text(_ text: String, attribute: String, patterns: [String], variant: Int) throws(AnonymizationError) -> String {
    let needed = patterns.filter { expressions.matchesWhole(text, $0) }
    if expressions.isUsedUp { throw .endless(attribute: attribute) }
    guard let pattern = needed.first else { return texts.mask(text, variant: variant, style: .ofTry(variant)) }
    for style in [TextMask.Style.plain, .hexadecimal, .keepingLetters, .keepingDigits] {
      for number in 0..<Self.tries {
        let result = texts.mask(text, variant: variant &* Self.tries &+ number, style: style)
        if result != text, needed.allSatisfy({ expressions.matchesWhole(result, $0) }) { return result }
      }
    }
    if text.isEmpty { return text }
    if expressions.isUsedUp { throw .endless(attribute: attribute) }
    throw .noMatch(attribute: attribute, pattern: pattern)
  }
}

/// The value that a rule gives all objects.
struct ReplacedValue {
  let stored: SQLValue

  /// Reads the text of a rule; nil if it is not a valid value of the attribute.
  init?(_ text: String, for attribute: AttributeDescription) {
    let rules = attribute.validation
    guard let value = try? AttributeValue.parse(text, as: attribute.type) else { return nil }
    switch value {
    case .string(let text):
      let length = Double(text.utf16.count)
      guard NumberLimits.allow(length, rules) else { return nil }
      if let pattern = rules.regularExpression, !RegularExpressions().matchesWhole(text, pattern) { return nil }
      stored = .text(text)
    case .uri(let text): stored = .text(text)
    case .integer(let number):
      guard NumberLimits.allow(Double(number), rules) else { return nil }
      stored = .integer(number)
    case .boolean(let flag): stored = .integer(flag ? 1 : 0)
    case .double(let number), .date(let number):
      guard NumberLimits.allow(number, rules) else { return nil }
      stored = .real(number)
    case .decimal, .binary, .uuid: return nil
    }
  }
}

/// A value in borrowed memory, such as the memory of a statement's current row; nothing is copied.
enum BorrowedValue {
  case null
  case integer(Int64)
  case real(Double)
  /// UTF-8, or the bytes that a column has in its place.
  case text(UnsafeBufferPointer<UInt8>)
  case blob(UnsafeRawBufferPointer)

  /// The value of a column of a statement's current row, valid until the next step.
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

  /// Binds the value to a statement; its memory must be valid until the statement has run.
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
