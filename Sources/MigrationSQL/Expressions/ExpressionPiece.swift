import Foundation
import MappingModels
import ModelDescription

/// A part of an expression as SQL, with what is known of it.
struct ExpressionPiece {
  /// The SQL: a scalar of NULL, INTEGER, REAL, TEXT or BLOB as the store keeps values of the type.
  var sql: SQLStatement
  var type: ExpressionType
  /// Where a whole number lies, as far as its making tells.
  var range: ClosedRange<Double>?
  /// True for a column or a constant, which may stand in SQL several times.
  var isSimple = false
  var canFail = false
  /// True for arithmetic on whole numbers that SQLite turns into floating point when it overflows.
  var canOverflow = false
  /// True for binary data with the mark of external storage.
  var isMarked = false
  /// Where the data is asked for, as the last arguments of the function that reads its file; with the mark only.
  var place: SQLStatement?
  /// The SQL of a sum, a product or a joined text without parentheses, with its operators' kind.
  var chain: (kind: Chain, sql: SQLStatement)?

  /// Operators that SQL reads from the left, one after the other.
  enum Chain {
    case sum
    case product
    case text
  }

  /// The SQL as the left side of an operator: a chain of the same kind goes on without parentheses, which SQLite limits.
  func leading(_ kind: Chain) -> SQLStatement { if let chain, chain.kind == kind { chain.sql } else { sql } }

  static func truth(_ sql: SQLStatement, canFail: Bool = false) -> ExpressionPiece {
    ExpressionPiece(sql: sql, type: .truth, range: 0...1, canFail: canFail)
  }

  static let null = ExpressionPiece(sql: "NULL", type: .null, isSimple: true)

  /// A value written down; an exact number is bound as a column of exact numbers would keep it.
  static func constant(_ value: AttributeValue) -> ExpressionPiece {
    var piece = ExpressionPiece(sql: "\(SQLValue(value))", type: .value(value.attributeType), isSimple: true)
    switch value {
    case .integer(let number): piece.range = Double(number)...Double(number)
    case .boolean: piece.range = 0...1
    case .decimal(let number): piece.sql = "\(.decimal(number))"
    default: break
    }
    return piece
  }

  /// The binary data itself.
  var unmarked: ExpressionPiece {
    guard isMarked else { return self }
    var piece = self
    piece.sql = place.map { "modelctl_external_data(\(sql), \($0))" } ?? "modelctl_external_data(\(sql))"
    piece.isMarked = false
    piece.isSimple = false
    piece.canFail = true
    piece.chain = nil
    return piece
  }

  /// The range in which floating point tells whole numbers apart from those beyond 64 bits.
  static let safeRange = -9.2e18...9.2e18
}
