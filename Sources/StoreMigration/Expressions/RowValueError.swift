/// Why an expression has no value for a row: it stops the statement, so that nothing of it stays.
struct RowValueError: Error, Hashable {
  /// What happened, in words.
  let cause: String
  /// The source entity.
  let entity: String
  /// The `Z_PK` of the source row, nil where none is known.
  let key: Int64?
  /// The expression.
  let expression: String

  static let divisionByZero = "it divides by zero"
  static let overflow = "the number leaves 64 bits"
}

extension RowValueError: CustomStringConvertible {
  /// The row, the expression and the cause.
  var description: String {
    let row = key.map { "\(entity) with Z_PK \($0)" } ?? entity
    return "\(row): \(expression): \(cause)"
  }
}
