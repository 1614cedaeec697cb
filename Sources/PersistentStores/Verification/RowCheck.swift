/// A condition that no row of a table may meet.
struct RowCheck: Sendable {
  /// The condition in SQL over the table's alias `t`, its values left out.
  let condition: String
  /// The values of the condition's parameters.
  let arguments: [Int64]
  let kind: StoreFinding.Kind
  var severity: StoreFinding.Severity = .error
  let entity: String
  var property: String?
  /// The columns of the row that the condition reads.
  let columns: Set<String>
  let sentence: String
  /// What the rows that meet the condition are asked, each one a finding in place of this check.
  var parts: [RowCheck] = []
}

/// What is asked of the rows that one column refers to.
struct ReferenceChecks {
  /// The column that refers.
  let column: String
  /// The column of the entity number beside it.
  var companion: String?
  /// The table that is referred to.
  let target: String
  /// The columns of that table, beside its key, on which the answer depends.
  var targetColumns: Set<String> = []
  /// Holds for a reference that none of the checks finds fault with: one look-up in place of one a check.
  var soundness: String
  /// The values of its parameters.
  var arguments: [Int64] = []
  var checks: [RowCheck]
}

/// The checks of one table, and the column that names its rows.
struct TableChecks {
  let table: String
  /// `Z_PK`, or in a join table the column that refers to the relationship's owner.
  let keyColumn: String
  /// What a row says by itself.
  var checks: [RowCheck]
  /// What it says together with the rows it refers to.
  var references: [ReferenceChecks]
}
