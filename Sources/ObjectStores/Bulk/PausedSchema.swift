import GRDB
import PersistentStores

/// The indexes of a store, and the triggers that keep derived attributes right, taken away while rows come.
final class PausedSchema {
  private let database: Database
  private let indexes: [String]
  private let triggers: [String]

  init(in database: Database) throws {
    self.database = database
    indexes = try Self.take("index", "1", in: database)
    triggers = try Self.take("trigger", "name GLOB 'Z_DA_*'", in: database)
  }

  /// Takes things of one type away, and gives their statements in the order in which they were made.
  private static func take(_ type: String, _ condition: String, in database: Database) throws -> [String] {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql IS NOT NULL AND \(condition) ORDER BY rowid",
      arguments: [type])
    for row in rows {
      guard let name = String.fromDatabaseValue(row[0]) else { continue }
      try database.execute(sql: "DROP \(type.uppercased()) \(SQLIdentifier(name).quoted)")
    }
    return rows.compactMap { String.fromDatabaseValue($0[1]) }
  }

  func makeIndexes() throws { for sql in indexes { try database.execute(sql: sql) } }

  func makeTriggers() throws { for sql in triggers { try database.execute(sql: sql) } }
}
