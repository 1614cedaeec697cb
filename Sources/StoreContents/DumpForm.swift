/// The forms that the objects of a store are dumped in.
public enum DumpForm: String, Hashable, Sendable, CaseIterable {
  /// One document with the metadata, an object a line.
  case json
  /// An object a line, without metadata.
  case jsonl
  /// A folder with a file an entity.
  case csv
  /// A relational schema with foreign keys and its rows, for SQLite.
  case sqlite
  /// The same for PostgreSQL.
  case postgresql
}
