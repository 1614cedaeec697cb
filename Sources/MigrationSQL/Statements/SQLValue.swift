package import Foundation
public import ModelDescription

/// A value as SQLite keeps it.
public enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLValue {
  /// An exact number as a column of exact numbers keeps it.
  package static func decimal(_ number: Decimal) -> SQLValue {
    let text = number.description
    return Int64(text).map(SQLValue.integer) ?? Double(text).map(SQLValue.real) ?? .text(text)
  }

  /// An integer of any width.
  package static func number(_ number: Int) -> SQLValue { .integer(Int64(number)) }

  /// The value as an SQL literal, so that a printed plan is what runs.
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

  /// What stands for the value in a statement, which gets ``argument`` for it.
  var mark: String { hasNUL ? "CAST(? AS TEXT)" : "?" }

  /// The most bytes of a value that is shown whole.
  private static let shownBytes = 24

  /// The value as people read it: the beginning of long bytes, with how many there are.
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
