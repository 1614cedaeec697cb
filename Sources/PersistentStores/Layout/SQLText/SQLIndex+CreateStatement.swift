extension SQLIndex {
  /// The `CREATE INDEX` statement as Core Data writes it.
  public var createStatement: String {
    let parts = columns.map { column in
      let name = SQLIdentifier(column.name).asCoreDataWrites
      return column.saysCollation ? "\(name) COLLATE BINARY \(column.isAscending ? "ASC" : "DESC")" : name
    }
    let statement = """
      CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLIdentifier(name).asCoreDataWrites) \
      ON \(SQLIdentifier(table).asCoreDataWrites) (\(parts.joined(separator: ", ")))
      """
    return condition.map { "\(statement) WHERE \($0)" } ?? statement
  }
}
