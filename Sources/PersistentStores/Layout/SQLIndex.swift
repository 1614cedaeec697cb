/// An index of a store's table.
public struct SQLIndex: Hashable, Sendable {
  /// One column of an index.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public var name: String
    /// False for descending order.
    public var isAscending: Bool
    /// True if the index has `COLLATE BINARY`, as the indexes of attributes do.
    public var saysCollation: Bool

    /// Creates an index column.
    public init(name: String, isAscending: Bool = true, saysCollation: Bool = false) {
      (self.name, self.isAscending, self.saysCollation) = (name, isAscending, saysCollation)
    }
  }

  /// The index's name.
  public var name: String
  /// The indexed table.
  public var table: String
  /// Its columns in order.
  public var columns: [Column]
  /// True for a uniqueness constraint.
  public var isUnique: Bool
  /// The SQL condition of a partial index.
  public var condition: String?

  /// Creates an index.
  public init(name: String, table: String, columns: [Column], isUnique: Bool = false, condition: String? = nil) {
    (self.name, self.table, self.columns) = (name, table, columns)
    (self.isUnique, self.condition) = (isUnique, condition)
  }

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

/// The R-tree table of a spatial index.
public struct SQLSpatialIndex: Hashable, Sendable {
  /// The virtual table's name.
  public var name: String
  /// The table of the indexed rows.
  public var table: String
  /// The columns it indexes.
  public var columns: [String]
  /// The complete `CREATE VIRTUAL TABLE` statement.
  public var sql: String

  /// Creates a spatial index.
  public init(name: String, table: String, columns: [String], sql: String) {
    (self.name, self.table, self.columns, self.sql) = (name, table, columns, sql)
  }
}
