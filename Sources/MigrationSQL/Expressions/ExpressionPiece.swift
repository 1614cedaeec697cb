import Foundation
import MappingModels
import ModelDescription

/// A part of an expression as SQL, with known facts about it.
struct ExpressionPiece {
  /// The SQL: a scalar of NULL, INTEGER, REAL, TEXT or BLOB as the store keeps values of the type.
  var sql: SQLStatement
  var type: ExpressionType
  /// The range of an integer, if its SQL shows it.
  var range: ClosedRange<Double>?
  /// True for a column or a constant, which SQL can repeat.
  var isSimple = false
  var canFail = false
  /// True for integer arithmetic that SQLite turns into floating point at an overflow.
  var canOverflow = false
  /// True for binary data with the mark of external storage.
  var isMarked = false
  /// The row and the expression for the error of the function that reads its file; only with the mark.
  var place: SQLStatement?
  /// The SQL of a sum, a product or a joined text without parentheses, with the kind of its operators.
  var chain: (kind: Chain, sql: SQLStatement)?

  /// Operators that SQL evaluates from the left.
  enum Chain {
    case sum
    case product
    case text
  }

  /// Returns the SQL as the left side of an operator; a chain of the same kind needs no parentheses, which SQLite
  /// limits.
  func leading(_ kind: Chain) -> SQLStatement { if let chain, chain.kind == kind { chain.sql } else { sql } }

  static func truth(_ sql: SQLStatement, canFail: Bool = false) -> ExpressionPiece {
    ExpressionPiece(sql: sql, type: .truth, range: 0...1, canFail: canFail)
  }

  static let null = ExpressionPiece(sql: "NULL", type: .null, isSimple: true)

  /// Returns a constant; an exact number is bound as a column of exact numbers would store it.
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

  /// The range in which floating point distinguishes integers from numbers beyond 64 bits.
  static let safeRange = -9.2e18...9.2e18
}
