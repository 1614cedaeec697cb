/// What becomes of the rows of one table.
struct TablePlan {
  let name: String
  let sql: String
  let columns: [Column]
  /// The names of the columns of each unique index.
  let uniqueKeys: [[String]]

  /// A column and what becomes of it.
  struct Column {
    let name: String
    let mask: ColumnMask
    /// True when it is in a unique index.
    let isUnique: Bool
    /// The attribute whose values it has; nil for another column.
    let attribute: String?
    /// The rule for them.
    let rule: ResolvedRule?
  }

  /// The columns of the unique index that an error is about; where it names none, those of all.
  ///
  /// - Parameter message: what SQLite says about a row that it refuses.
  /// - Returns: the columns.
  func columns(refusedBy message: String?) -> [Column] {
    let key = uniqueKeys.first { key in
      let places = key.map { "\(name).\($0)" }.joined(separator: ", ")
      return message?.uppercased() == "UNIQUE constraint failed: \(places)".uppercased()
    }
    guard let names = key?.map({ $0.uppercased() }) else { return columns.filter(\.isUnique) }
    return columns.filter { names.contains($0.name.uppercased()) }
  }
}
