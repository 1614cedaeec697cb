import Foundation
import GRDB
import MappingModels
package import MigrationSQL
package import ModelDescription
package import PersistentStores

/// A value of an object that its row cannot store, from the ``ExactValueTable`` of the SQLite copy of an atomic store.
package struct ExactValue: Hashable, Sendable {
  /// The object.
  package let object: RecordID
  /// The name of the attribute, and the names of elements in a composite attribute.
  package let path: [String]
  /// A decimal number with all its digits, or the value of an attribute without a type.
  package let value: AttributeValue
  /// The number as stored in its column; nil for a value without a column.
  package let near: Double?
}

extension ExactValue {
  /// A decimal number that its column stores with fewer digits.
  package init(_ number: RoundedDecimal) {
    self.init(
      object: number.object, path: number.path, value: .decimal(number.number), near: Double("\(number.number)"))
  }
}

extension AttributeType {
  /// True if a row may not be able to store a value completely.
  package var mayBeKeptApart: Bool { self == .decimal || self == .undefined }
}

extension ExactValue {
  /// The row of the table for a value; nil if the object's own row has all of it.
  ///
  /// - Parameter type: the type of the value's attribute.
  static func stored(_ value: RecordValue, _ type: AttributeType) -> (near: SQLValue, bytes: SQLValue)? {
    guard case .attribute(let value) = value else { return nil }
    switch (value, type) {
    case (.decimal(let number), .decimal):
      return number.isRounded ? (.decimal(number), .blob(bytes(value))) : nil
    case (_, .undefined): return (.null, .blob(bytes(value)))
    default: return nil
    }
  }

  /// A value of any type: a letter for the type, then the value.
  private static func bytes(_ value: AttributeValue) -> [UInt8] {
    switch value {
    case .integer(let number): Array("i\(number)".utf8)
    case .decimal(let number): Array("n\(number)".utf8)
    case .double(let number): Array("f\(number.bitPattern)".utf8)
    case .date(let seconds): Array("d\(seconds.bitPattern)".utf8)
    case .boolean(let flag): Array("b\(flag ? 1 : 0)".utf8)
    case .string(let text): Array("s\(text)".utf8)
    case .uri(let text): Array("r\(text)".utf8)
    case .uuid(let uuid): Array("u\(uuid)".utf8)
    case .binary(let data): Array("x".utf8) + data
    }
  }

  static func value(_ bytes: some Collection<UInt8>) -> AttributeValue? {
    let rest = bytes.dropFirst()
    let text = String(decoding: rest, as: UTF8.self)
    switch bytes.first {
    case UInt8(ascii: "i"): return Int64(text).map { .integer($0) }
    case UInt8(ascii: "n"): return text == "NaN" ? .decimal(.nan) : try? AttributeValue.parse(text, as: .decimal)
    case UInt8(ascii: "f"): return UInt64(text).map { .double(Double(bitPattern: $0)) }
    case UInt8(ascii: "d"): return UInt64(text).map { .date(Double(bitPattern: $0)) }
    case UInt8(ascii: "b"): return .boolean(text == "1")
    case UInt8(ascii: "s"): return .string(text)
    case UInt8(ascii: "r"): return .uri(text)
    case UInt8(ascii: "u"): return UUID(uuidString: text).map { .uuid($0) }
    case UInt8(ascii: "x"): return .binary(Data(rest))
    default: return nil
    }
  }
}

extension StoreModel {
  /// The value of a row in the ``ExactValueTable``; NULL if it has none.
  ///
  /// - Parameters:
  ///   - row: the alias of the row in the statement.
  ///   - path: the name of the attribute and the names of elements, joined by dots.
  ///   - entity: the entity of the rows, or an ancestor of it.
  ///   - column: the stored value of the row, which must be near the exact value; nil for a value without a column.
  package func exactValue(
    of row: String, at path: String, in entity: String, near column: SQLStatement?
  ) -> SQLStatement {
    let entities = hierarchy.family(of: entity).map { "\(.text($0.name))" as SQLStatement }
    let near: SQLStatement = column.map { " AND exact.near IS \($0)" } ?? ""
    return """
      (SELECT exact.value FROM \(name: ExactValueTable.name) AS exact WHERE exact.key = \(name: row).Z_PK \
      AND exact.path = \(.text(path)) AND exact.entity IN (\(entities.joined()))\(near))
      """
  }
}

extension StoreReader {
  /// Returns the values that the rows of an atomic store's SQLite copy cannot store; empty for any other store.
  package func exactValues() throws -> [ExactValue] {
    guard isTemporary else { return [] }
    return try read { database in
      let sql = "SELECT entity, key, path, value, near FROM \(ExactValueTable.name) ORDER BY entity, key, path"
      let rows = try Row.fetchCursor(database, sql: sql)
      var found: [ExactValue] = []
      while let row = try rows.next() {
        guard let value = ExactValue.value(row[3] as Data) else { continue }
        found.append(
          ExactValue(
            object: RecordID(entity: row[0], key: row[1]),
            path: (row[2] as String).split(separator: ".").map(String.init), value: value, near: row[4]))
      }
      return found
    }
  }

  /// Returns the attributes with such values, each with true if it lacks a type.
  package func exactAttributes() throws -> [PropertyAddress: Bool] {
    guard isTemporary else { return [:] }
    return try read { database in
      let sql = "SELECT DISTINCT entity, path, near IS NULL FROM \(ExactValueTable.name)"
      return try Row.fetchAll(database, sql: sql).reduce(into: [:]) {
        $0[PropertyAddress(entity: $1[0], property: $1[1])] = $1[2]
      }
    }
  }
}
