/// What follows from the text of a schema, so that of many stores with one schema SQLite is asked about its columns and
/// indexes once.
struct SchemaStructure: Sendable {
  /// The structures that were read last.
  static let recent = RecentValues<[SchemaObject], SchemaStructure>(capacity: 32)

  /// The ordinary tables.
  let tables: [SchemaObject]
  /// Their columns, in the order of the tables.
  let columns: [[StoreSnapshot.Column]]
  /// The indexes of the tables.
  let indexes: [StoreSnapshot.Index]
}
