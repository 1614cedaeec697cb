package import Foundation
import GRDBSQLite
package import ModelDescription
import PersistentStores

/// The value of a column, valid only while its statement is at the row; nothing is copied.
package enum CellValue {
  case null
  case integer(Int64)
  case boolean(Bool)
  /// A number of a Double or Float attribute.
  case real(Double)
  /// Seconds since 2001.
  case date(Double)
  /// A decimal number without a fraction.
  case wholeDecimal(Int64)
  /// A decimal number that was stored as the nearest double.
  case decimal(Double)
  /// A decimal number with more digits than the column stores; the other digits are in a separate table.
  case longDecimal(Decimal)
  /// Decimal NaN.
  case notANumber
  /// UTF-8.
  case text(UnsafeRawBufferPointer)
  /// Sixteen bytes.
  case uuid(UnsafeRawBufferPointer)
  case data(UnsafeRawBufferPointer)
  /// Binary data in the file of this name.
  case file(String)
}

extension SteppedRow {
  /// The value of an attribute's column; nil if the column's value is not valid for the type.
  package func cell(_ position: Int32, _ type: AttributeType, isMarked: Bool) -> CellValue? {
    if isNull(position) { return .null }
    switch type {
    case .integer16, .integer32, .integer64: return integer(position).map { .integer($0) }
    case .boolean: return integer(position).map { .boolean($0 != 0) }
    case .double, .float: return number(position).map { .real($0) }
    case .date: return number(position).map { .date($0) }
    case .decimal: return decimalCell(position, isMarked: isMarked)
    case .string, .uri: return textCell(position)
    case .uuid:
      guard let bytes = bytes(position), bytes.count == 16 else { return nil }
      return .uuid(bytes)
    case .binary, .transformable: return bytes(position).flatMap { dataCell($0, isMarked: isMarked) }
    case .undefined, .objectID, .composite, .unrecognized: return nil
    }
  }

  private func decimalCell(_ position: Int32, isMarked: Bool) -> CellValue? {
    switch sqlite3_column_type(statement, position) {
    case SQLITE_BLOB where isMarked: longDecimal(position).map { .longDecimal($0) }
    case SQLITE_INTEGER: .wholeDecimal(sqlite3_column_int64(statement, position))
    case SQLITE_FLOAT: .decimal(sqlite3_column_double(statement, position))
    default: text(position) == "NaN" ? .notANumber : nil
    }
  }

  private func textCell(_ position: Int32) -> CellValue? {
    guard sqlite3_column_type(statement, position) == SQLITE_TEXT, let bytes = sqlite3_column_text(statement, position)
    else { return nil }
    let text = UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, position)))
    guard text.allSatisfy({ $0 < 0x80 }) || self.text(position) != nil else { return nil }
    return .text(text)
  }

  private func bytes(_ position: Int32) -> UnsafeRawBufferPointer? {
    guard sqlite3_column_type(statement, position) == SQLITE_BLOB else { return nil }
    let bytes = sqlite3_column_blob(statement, position)
    return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, position)))
  }

  private func dataCell(_ data: UnsafeRawBufferPointer, isMarked: Bool) -> CellValue? {
    guard isMarked else { return .data(data) }
    switch data.first {
    case 1: return .data(UnsafeRawBufferPointer(rebasing: data.dropFirst()))
    // A value that does not name a file is valid data.
    case ExternalData.marker: return ExternalData.fileName(in: data).map { .file($0) } ?? .data(data)
    default: return nil
    }
  }
}
