import GRDB

/// A row of SQLite's schema table.
struct SchemaObject: Hashable, Sendable {
  /// `table`, `index`, `trigger` or `view`.
  let type: String
  let name: String
  /// The table of the object; for a table, its own name.
  let table: String
  /// The `CREATE` statement, nil for the index of a constraint.
  let sql: String?

  /// True for a table of a module such as R-tree.
  var isVirtualTable: Bool { type == "table" && (sql ?? "").uppercased().hasPrefix("CREATE VIRTUAL") }

  /// Reads the first object with a name, compared without case.
  static func named(_ name: String, in database: Database) throws -> SchemaObject? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view') \
        ORDER BY rowid LIMIT 1
        """, arguments: [name]
    ).map(SchemaObject.init)
  }

  /// Reads all objects in the file's order, SQLite's own tables left out.
  static func all(in database: Database) throws -> [SchemaObject] {
    try Row.fetchAll(database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid")
      .map(SchemaObject.init)
      .filter { !($0.type == "table" && $0.name.lowercased().hasPrefix("sqlite_")) }
  }
}

extension SchemaObject {
  fileprivate init(_ row: Row) {
    self.init(type: row.text(0) ?? "", name: row.text(1) ?? "", table: row.text(2) ?? "", sql: row.text(3))
  }
}
