import GRDB

extension StoreSnapshot {
  /// Reads the indexes of these schema objects, in the order in which the file lists them.
  static func indexes(_ schema: [SchemaObject], in database: Database) throws -> [Index] {
    var unique: Set<String> = []
    for table in Set(schema.filter { $0.type == "table" }.map(\.name)) {
      let rows = try Row.fetchAll(
        database, sql: "SELECT name FROM pragma_index_list(?) WHERE \"unique\" <> 0", arguments: [table])
      unique.formUnion(rows.compactMap { $0.text(0) })
    }
    return try schema.filter { $0.type == "index" }.map { object in
      let columns = try Row.fetchAll(
        database, sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno", arguments: [object.name])
      return Index(
        name: object.name, table: object.table, columns: columns.map { $0.text(0) ?? "" },
        isUnique: unique.contains(object.name), isInline: object.sql == nil, sql: object.sql)
    }
  }
}
