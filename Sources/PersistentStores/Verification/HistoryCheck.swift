import GRDB

/// Whether persistent history speaks of entities that exist: a renumbering must reach it too.
enum HistoryCheck {
  static func problems(snapshot: StoreSnapshot, in database: Database) throws -> [StoreFinding] {
    guard let table = snapshot.tables.first(where: { $0.name == "ACHANGE" }),
      Set(table.columns.map(\.name)).isSuperset(of: ["Z_PK", "ZENTITY"])
    else { return [] }
    let condition = "FROM ACHANGE WHERE ZENTITY IS NOT NULL AND ZENTITY NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY)"
    let count = Int(try Row.fetchOne(database, sql: "SELECT COUNT(*) \(condition)")?.integer(0) ?? 0)
    guard count > 0 else { return [] }
    let keys = try Row.fetchAll(
      database, sql: "SELECT Z_PK \(condition) ORDER BY Z_PK LIMIT ?", arguments: [RowChecker.keyLimit])
    return [
      StoreFinding(
        .historyEntity, severity: .warning, count: count, primaryKeys: keys.compactMap { $0.integer(0) },
        sentence: "persistent history speaks of entity numbers that Z_PRIMARYKEY does not have")
    ]
  }
}
