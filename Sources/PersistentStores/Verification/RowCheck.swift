/// A condition that no row of a table may meet.
struct RowCheck {
  /// The condition in SQL over the table's alias `t`, its values left out.
  let condition: String
  /// The values of the condition's parameters.
  let arguments: [Int64]
  let kind: StoreProblem.Kind
  var severity: StoreProblem.Severity = .error
  let entity: String
  var property: String?
  let sentence: String
}

/// The checks of one table, and the column that names its rows.
struct TableChecks {
  let table: String
  /// `Z_PK`, or in a join table the column that refers to the relationship's owner.
  let keyColumn: String
  var checks: [RowCheck]
}
