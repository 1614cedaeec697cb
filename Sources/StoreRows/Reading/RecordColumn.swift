package import Foundation
import GRDBSQLite
package import ModelDescription
import PersistentStores

/// A property in the columns of a query's rows.
package struct RecordColumn {
  /// The content of the columns.
  package enum Content {
    /// A value of an attribute's type.
    ///
    /// It may have a marker of external storage or the bytes of an ``ExactValue``.
    case value(AttributeType, isMarked: Bool)
    /// The elements of a composite attribute.
    case composite([RecordColumn])
    /// An object: its key, followed by its entity number unless it is of the relationship's destination.
    case object(destination: String)
  }

  /// The property's name, or the element's.
  package let name: String
  package let content: Content
  package let position: Int32
}

/// The columns of a row that a statement has reached.
///
/// A file may have any value in any column, so the storage class of every value is checked.
package struct SteppedRow {
  package let statement: OpaquePointer

  package init(statement: OpaquePointer) { self.statement = statement }

  package func isNull(_ position: Int32) -> Bool { sqlite3_column_type(statement, position) == SQLITE_NULL }

  /// A whole number, in any storage class.
  package func integer(_ position: Int32) -> Int64? {
    switch sqlite3_column_type(statement, position) {
    case SQLITE_INTEGER: sqlite3_column_int64(statement, position)
    case SQLITE_FLOAT: Int64(exactly: sqlite3_column_double(statement, position))
    default: nil
    }
  }

  package func text(_ position: Int32) -> String? {
    guard sqlite3_column_type(statement, position) == SQLITE_TEXT, let bytes = sqlite3_column_text(statement, position)
    else { return nil }
    let units = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, position)))
    let text = String(decoding: units, as: UTF8.self)
    // Invalid UTF-8 is repaired, and then differs from the column's value.
    return text.utf8.count == units.count && text.utf8.elementsEqual(units) ? text : nil
  }

  /// The text of a column, also if it is stored as bytes or not all of it is UTF-8; nil for any other value.
  package func anyText(_ position: Int32) -> String? {
    switch sqlite3_column_type(statement, position) {
    case SQLITE_TEXT:
      guard let bytes = sqlite3_column_text(statement, position) else { return nil }
      let count = Int(sqlite3_column_bytes(statement, position))
      return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    case SQLITE_BLOB: return data(position).flatMap { String(data: $0, encoding: .utf8) }
    default: return nil
    }
  }

  package func data(_ position: Int32) -> Data? {
    guard sqlite3_column_type(statement, position) == SQLITE_BLOB else { return nil }
    let count = Int(sqlite3_column_bytes(statement, position))
    guard count > 0, let bytes = sqlite3_column_blob(statement, position) else { return Data() }
    return Data(bytes: bytes, count: count)
  }

  /// A value of a type; nil if the column's value is not valid for the type.
  package func value(_ position: Int32, _ type: AttributeType, isMarked: Bool) -> RecordValue? {
    if isNull(position) { return .null }
    switch type {
    case .integer16, .integer32, .integer64: return integer(position).map { .attribute(.integer($0)) }
    case .boolean: return integer(position).map { .attribute(.boolean($0 != 0)) }
    case .double, .float: return number(position).map { .attribute(.double($0)) }
    case .date: return number(position).map { .attribute(.date($0)) }
    case .decimal: return decimal(position, isMarked: isMarked).map { .attribute(.decimal($0)) }
    case .string: return text(position).map { .attribute(.string($0)) }
    case .uri: return text(position).map { .attribute(.uri($0)) }
    case .uuid: return uuid(position).map { .attribute(.uuid($0)) }
    case .binary, .transformable: return bytes(position, isTransformed: type == .transformable, isMarked: isMarked)
    case .undefined where isMarked: return data(position).flatMap { ExactValue.value($0) }.map { .attribute($0) }
    case .undefined, .objectID, .composite, .unrecognized: return nil
    }
  }

  package func number(_ position: Int32) -> Double? {
    switch sqlite3_column_type(statement, position) {
    case SQLITE_INTEGER, SQLITE_FLOAT: sqlite3_column_double(statement, position)
    default: nil
    }
  }

  /// An exact number as stored in its column: whole numbers as integers, others as the nearest double, `NaN` as text.
  private func decimal(_ position: Int32, isMarked: Bool) -> Decimal? {
    switch sqlite3_column_type(statement, position) {
    case SQLITE_BLOB where isMarked: return longDecimal(position)
    case SQLITE_INTEGER: return Decimal(sqlite3_column_int64(statement, position))
    case SQLITE_FLOAT: return Decimal(string: "\(sqlite3_column_double(statement, position))")
    default: return text(position) == "NaN" ? .nan : nil
    }
  }

  func longDecimal(_ position: Int32) -> Decimal? {
    guard case .decimal(let number)? = data(position).flatMap({ ExactValue.value($0) }) else { return nil }
    return number
  }

  private func uuid(_ position: Int32) -> UUID? {
    guard let data = data(position), data.count == 16 else { return nil }
    return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private func bytes(_ position: Int32, isTransformed: Bool, isMarked: Bool) -> RecordValue? {
    guard var data = data(position) else { return nil }
    if isMarked {
      switch data.first {
      case 1: data.removeFirst()
      case 2: return .external(reference: data)
      default: return nil
      }
    }
    return isTransformed ? .transformed(data) : .attribute(.binary(data))
  }
}
