import MappingModels
import ModelDescription
import PersistentStores

extension ExpressionCompilation {
  /// A value in the form that the column of a destination attribute keeps.
  func stored(
    _ piece: ExpressionPiece, for attribute: AttributeDescription, _ expression: ValueExpression
  ) -> SQLStatement {
    if piece.type == .null { return "NULL" }
    if piece.type == .unknown { return stored(unknown: piece, for: attribute, place(expression)) }
    if piece.isMarked || attribute.allowsExternalBinaryDataStorage {
      if piece.isMarked && attribute.allowsExternalBinaryDataStorage { return piece.sql }
      let value = piece.unmarked.sql
      return attribute.allowsExternalBinaryDataStorage ? "CAST(\(.blob([1])) || \(value) AS BLOB)" : value
    }
    guard piece.type.isNumber else { return piece.sql }
    let value = checked(piece, expression)
    switch attribute.type {
    case .integer16, .integer32, .integer64: return whole(value, for: attribute.type, expression)
    case .boolean: return value.type == .truth || value.type == .value(.boolean) ? value.sql : "(\(value.sql) <> 0)"
    case .double, .float, .date:
      let isReal = [.value(.double), .value(.float)].contains(value.type)
      return isReal ? value.sql : "CAST(\(value.sql) AS REAL)"
    default: return value.sql
    }
  }

  /// A value that only its making tells: one that the attribute cannot have stops the statement, and so does the
  /// fraction of a number for an attribute of whole numbers where SQL is written for the attribute itself.
  func stored(
    unknown piece: ExpressionPiece, for attribute: AttributeDescription, _ place: SQLStatement, isWritten: Bool = false
  ) -> SQLStatement {
    let function: SQLStatement = isWritten ? "modelctl_written" : "modelctl_stored"
    let value: SQLStatement = "\(function)(\(piece.sql), \(.text(attribute.type.name)), \(place))"
    return attribute.allowsExternalBinaryDataStorage ? "CAST(\(.blob([1])) || \(value) AS BLOB)" : value
  }

  /// A number without its fraction, which must fit the attribute.
  private func whole(
    _ value: ExpressionPiece, for type: AttributeType, _ expression: ValueExpression
  ) -> SQLStatement {
    guard let bounds = type.bounds else { return value.sql }
    if value.type.isWholeNumber {
      if bounds == .min ... .max { return value.sql }
      if let range = value.range, Double(bounds.lowerBound) <= range.lowerBound,
        range.upperBound <= Double(bounds.upperBound)
      {
        return value.sql
      }
    }
    let least: SQLStatement = "\(.integer(bounds.lowerBound))"
    let greatest: SQLStatement = "\(.integer(bounds.upperBound))"
    let function: (SQLStatement) -> SQLStatement = {
      "modelctl_integer(\($0), \(least), \(greatest), \(place(expression)))"
    }
    let whole: (SQLStatement) -> SQLStatement = { number in
      """
      CASE WHEN typeof(\(number)) = 'integer' AND \(number) BETWEEN \(least) AND \(greatest) THEN \(number) \
      ELSE \(function(number)) END
      """
    }
    guard !value.isSimple else { return whole(value.sql) }
    // The function is slow, and called for a value out of bounds only; the offset keeps SQLite from computing it twice.
    return "(SELECT \(whole("number")) FROM (SELECT \(value.sql) AS number LIMIT 1 OFFSET 0))"
  }
}
