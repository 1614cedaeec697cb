import GRDB
import MigrationSQL
import PersistentStores

/// Gives out keys for objects that policies make: above every key that any row of a table has or may get.
struct DestinationKeys {
  private let context: PlanningContext
  private var highest: [String: Int64] = [:]

  init(_ context: PlanningContext) { self.context = context }

  mutating func next(in table: SQLTable, _ database: Database) throws -> Int64 {
    let last = try highest[table.name] ?? highestKey(of: table, database)
    let (key, overflow) = last.addingReportingOverflow(1)
    guard !overflow else { throw DatabaseError(resultCode: .SQLITE_FULL, message: "\(table.name) has no free key") }
    highest[table.name] = key
    return key
  }

  private func highestKey(of table: SQLTable, _ database: Database) throws -> Int64 {
    var parts: [SQLStatement] = ["SELECT MAX(\(name: "Z_PK")) AS highest FROM \(name: table.name)"]
    for entity in context.entities(filling: table) {
      parts.append("SELECT MAX(\(name: "Z_PK")) FROM \(name: entity.sourceTable.name)")
      if let keys = entity.keysTable { parts.append("SELECT MAX(dst) FROM \(name: "temp").\(name: keys)") }
    }
    let query: SQLStatement = "SELECT MAX(highest) FROM (\(parts.joined(" UNION ALL ")))"
    return try Int64.fetchOne(database, sql: query.text, arguments: query.databaseArguments) ?? 0
  }
}
