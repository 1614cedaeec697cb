import GRDB

/// Whether `Z_MAX` is at least every `Z_PK` in use.
enum PrimaryKeyCheck {
  static func problems(
    layout: SQLStoreLayout, snapshot: StoreSnapshot, in database: Database
  ) throws -> [StoreFinding] {
    var problems: [StoreFinding] = []
    for table in layout.tables {
      guard case .hierarchy(let root) = table.content,
        let row = snapshot.entityRows.first(where: { $0.name == root })
      else { continue }
      let sql = "SELECT MAX(Z_PK) FROM \(SQLIdentifier(table.name))"
      guard let highest = try Row.fetchOne(database, sql: sql)?.integer(0), highest > row.maximumPrimaryKey else {
        continue
      }
      problems.append(
        StoreFinding(
          .primaryKeyMaximum, entity: root, primaryKeys: [highest],
          sentence: "Z_MAX is \(row.maximumPrimaryKey), though rows up to Z_PK \(highest) exist"))
    }
    return problems
  }
}
