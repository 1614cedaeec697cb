import Foundation
package import GRDB
import MigrationSQL
package import PersistentStores

/// A store's schema without its rows, in memory, on which a stage is tried so that the next can be planned.
package final class SchemaRehearsal {
  private let queue: DatabaseQueue

  /// Copies the tables, indexes, triggers and views of a store, and the rows that number entities and hold metadata.
  ///
  /// - Parameters:
  ///   - database: a connection to the store.
  ///   - store: its path.
  /// - Throws: `DatabaseError`.
  package init(of database: Database, store: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(configuration: configuration)
    let snapshot = try StoreSnapshot(reading: database, counting: false)
    let others = try String.fetchAll(
      database,
      sql: "SELECT sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL ORDER BY type = 'trigger', rowid")
    let virtual = try String.fetchAll(
      database, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND sql LIKE 'create virtual%' ORDER BY rowid")
    let kept = try ["Z_PRIMARYKEY", "Z_METADATA"].map { table in
      (table, try Row.fetchAll(database, sql: "SELECT * FROM \(SQLIdentifier(table))"))
    }
    try queue.writeWithoutTransaction { copy in
      try StoreWriter.prepareSession(copy)
      ConversionFunctions(store: store).register(in: copy)
      PlanExecution.prepare(copy)
      for table in snapshot.tables where !table.name.hasPrefix("sqlite_") { try copy.execute(sql: table.sql) }
      // A virtual table whose module is not here, and what the app made over it, no plan can read either.
      for sql in virtual + others { try? copy.execute(sql: sql) }
      for (table, rows) in kept {
        for row in rows {
          let marks = row.map { _ in "?" }.joined(separator: ", ")
          try copy.execute(
            sql: "INSERT INTO \(SQLIdentifier(table)) VALUES (\(marks))",
            arguments: StatementArguments(row.map(\.1)))
        }
      }
    }
  }

  /// Runs a plan's statements over no rows; policies have nothing to do there.
  package func run(_ plan: MigrationPlan) throws {
    var plan = plan
    plan.policies = nil
    try queue.writeWithoutTransaction { [plan] copy in
      try PlanExecution(plan: plan) { _ in }.run(in: copy)
    }
  }

  /// What the schema is now.
  package func snapshot() throws -> StoreSnapshot {
    var snapshot = try queue.writeWithoutTransaction { try StoreSnapshot(reading: $0, counting: false) }
    snapshot.isOfSchemaOnly = true
    return snapshot
  }
}
