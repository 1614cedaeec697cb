import GRDB

extension StoreSnapshot {
  /// Reads the indexes of these schema objects, in the order in which the file lists them.
  static func indexes(_ schema: [SchemaObject], in database: Database) throws -> [Index] {
    let lists = try database.makeStatement(sql: "SELECT name FROM pragma_index_list(?) WHERE \"unique\" <> 0")
    var unique: Set<String> = []
    for table in Set(schema.filter { $0.type == "table" }.map(\.name)) {
      unique.formUnion(try Row.fetchAll(lists, arguments: [table]).compactMap { $0.text(0) })
    }
    let terms = try database.makeStatement(
      sql: """
        SELECT name, "desc" <> 0, upper(coll) <> 'BINARY' FROM pragma_index_xinfo(?) WHERE key <> 0 ORDER BY seqno
        """)
    return try schema.filter { $0.type == "index" }.map { object in
      let columns = try Row.fetchAll(terms, arguments: [object.name])
      return Index(
        name: object.name, table: object.table, columns: columns.map { $0.text(0) ?? "" },
        descending: Set(columns.indices.filter { columns[$0].integer(1) == 1 }),
        hasOwnCollation: columns.contains { $0.integer(2) == 1 }, isUnique: unique.contains(object.name),
        isInline: object.sql == nil, sql: object.sql)
    }
  }
}
