/// Lays out the R-tree table of a spatial index and the triggers that keep it.
///
/// The table's shape and the triggers' names are those of Core Data; the triggers' bodies are this program's.
struct SpatialIndexBuilder {
  let name: String
  let table: String
  let columns: [String]

  /// The R-tree table.
  var index: SQLSpatialIndex {
    let bounds = columns.flatMap { ["\($0)_MIN", "\($0)_MAX"] }
      .map { "\(SQLIdentifier($0).asCoreDataWrites) FLOAT" }.joined(separator: ", ")
    return SQLSpatialIndex(
      name: name, table: table, columns: columns,
      sql: "CREATE VIRTUAL TABLE \(SQLIdentifier(name).asCoreDataWrites) USING RTREE "
        + "(Z_PK INTEGER PRIMARY KEY, \(bounds))"
    )
  }

  /// The triggers; a row with an absent coordinate is not in the index.
  var triggers: [SQLTrigger] {
    let quotedTable = SQLIdentifier(table).asCoreDataWrites
    let quotedName = SQLIdentifier(name).asCoreDataWrites
    let quotedColumns = columns.map { SQLIdentifier($0).asCoreDataWrites }
    let values = quotedColumns.flatMap { ["NEW.\($0)", "NEW.\($0)"] }.joined(separator: ", ")
    let isComplete = quotedColumns.map { "NEW.\($0) NOT NULL" }.joined(separator: " AND ")
    let insertion = "INSERT INTO \(quotedName) SELECT NEW.Z_PK, \(values) WHERE \(isComplete);"
    let deletion = "DELETE FROM \(quotedName) WHERE Z_PK = OLD.Z_PK;"
    let update = "UPDATE OF \((["Z_PK"] + quotedColumns).joined(separator: ", "))"
    return [
      ("INSERT", "INSERT", insertion), ("UPDATE", update, "\(deletion) \(insertion)"), ("DELETE", "DELETE", deletion),
    ]
    .map { suffix, event, body in
      let trigger = "\(name)_\(suffix)"
      return SQLTrigger(
        name: trigger, table: table,
        sql: "CREATE TRIGGER \(SQLIdentifier(trigger).asCoreDataWrites) AFTER \(event) ON \(quotedTable) "
          + "FOR EACH ROW BEGIN \(body) END"
      )
    }
  }
}
