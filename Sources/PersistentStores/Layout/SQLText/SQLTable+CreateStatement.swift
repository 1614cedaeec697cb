extension SQLTable {
  /// The `CREATE TABLE` statement as Core Data writes it.
  ///
  /// Source: the statements of 198 stores that Core Data made.
  public var createStatement: String { createStatement(named: name) }

  /// The same statement for a table of another name, as a rebuild needs it.
  public func createStatement(named name: String) -> String {
    var parts = columns.map { "\(SQLIdentifier($0.name).asCoreDataWrites) \($0.type.rawValue)" }
    if case .join = content {
      let key = primaryKeyColumns.map { SQLIdentifier($0.name).asCoreDataWrites }.joined(separator: ", ")
      parts.append("PRIMARY KEY (\(key))")
    }
    return "CREATE TABLE \(SQLIdentifier(name).asCoreDataWrites) ( \(parts.joined(separator: ", ")) )"
  }

  /// The columns of the primary key: `Z_PK`, or both sides of a join table.
  public var primaryKeyColumns: [SQLColumn] {
    columns.filter { column in
      switch column.role {
      case .primaryKey, .joinSource, .joinDestination: true
      default: false
      }
    }
  }
}
