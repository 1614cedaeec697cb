import GRDB

/// Where an expression is computed: the last three arguments of a function that can fail.
struct RowPlace {
  private let key: Int64?
  private let entity: String
  private let expression: String

  /// Reads the key, the entity and the expression.
  init(_ arguments: ArraySlice<DatabaseValue>) {
    let values = Array(arguments)
    key = values.first.flatMap { Int64.fromDatabaseValue($0) }
    entity = values.count > 1 ? values[1].text ?? "" : ""
    expression = values.last?.text ?? ""
  }

  /// The error of this place.
  func failure(_ cause: String) -> RowValueError {
    RowValueError(cause: cause, entity: entity, key: key, expression: expression)
  }
}
