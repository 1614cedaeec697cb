package import GRDB

/// SQLite's own check of the file.
package enum IntegrityCheck {
  /// The most lines of SQLite's report that are kept.
  private static let limit = 20

  /// Asks SQLite about one table and its indexes; there is nothing to say about a table that is not there.
  package static func problems(ofTable name: String, in database: Database) throws -> [StoreFinding] {
    let table = try Row.fetchOne(
      database, sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE", arguments: [name])
    guard table != nil else { return [] }
    return try problems(asking: "PRAGMA quick_check(\(SQLIdentifier(name)))", database)
  }

  /// Asks SQLite about the whole file.
  package static func problems(in database: Database) throws -> [StoreFinding] {
    try problems(asking: "PRAGMA quick_check", database)
  }

  private static func problems(asking question: String, _ database: Database) throws -> [StoreFinding] {
    let report = try Row.fetchAll(database, sql: question).compactMap { $0.text(0) }
    return report.filter { $0 != "ok" }.prefix(limit).map { StoreFinding(.damage, sentence: "SQLite reports: \($0)") }
  }
}
