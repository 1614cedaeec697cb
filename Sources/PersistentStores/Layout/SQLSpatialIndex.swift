/// The R-tree table of a spatial index.
public struct SQLSpatialIndex: Hashable, Sendable {
  /// The virtual table's name.
  public var name: String
  /// The table whose rows it indexes.
  public var table: String
  /// The columns it indexes.
  public var columns: [String]
  /// The complete `CREATE VIRTUAL TABLE` statement.
  public var sql: String

  /// Makes a spatial index.
  public init(name: String, table: String, columns: [String], sql: String) {
    self.name = name
    self.table = table
    self.columns = columns
    self.sql = sql
  }
}
