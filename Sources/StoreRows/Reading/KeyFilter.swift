import MigrationSQL

/// The rows that have one of some keys in a column.
struct KeyFilter {
  let column: String
  let keys: [Int64]

  /// The rows whose own keys they are.
  init(of keys: [Int64]) { self.init("Z_PK", keys) }

  /// The rows that refer to others in a column.
  init(_ column: String, _ keys: [Int64]) { (self.column, self.keys) = (column, keys) }

  /// What must hold of a row that a statement knows by a name.
  func condition(_ row: String) -> SQLStatement {
    "\(name: row).\(name: column) IN (\(SQLStatement.values(keys)))"
  }
}
