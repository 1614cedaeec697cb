/// What becomes of the rows of one table.
struct TablePlan {
  let name: String
  let sql: String
  let columns: [Column]

  /// A column and what becomes of it.
  struct Column {
    let name: String
    var mask: ColumnMask
    /// True when it is in a unique index.
    var isUnique = false
  }
}
