/// The databases that statements of SQL are written for.
public enum SQLDialect: String, Hashable, Sendable, CaseIterable {
  /// SQLite.
  case sqlite
  /// PostgreSQL.
  case postgresql
}
