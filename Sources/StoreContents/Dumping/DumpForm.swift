/// The forms that the objects of a store are dumped in.
public enum DumpForm: Hashable, Sendable {
  /// A JSON store, as a conversion writes it.
  case json
  /// An object of JSON a line.
  case jsonLines
  /// A folder with a file of comma-separated values for each entity.
  case csv
  /// A relational database as statements of SQL.
  case sql(SQLDialect)
}
