import CSQLiteConnection
import GRDB
import PersistentStores

/// Runs the statements of a plan on a connection that is in a transaction.
struct PlanExecution {
  let plan: MigrationPlan
  let functions: ConversionFunctions
  let report: (MigrationProgress) -> Void

  /// Prepares a connection: functions are there, and the app's own triggers stay silent while rows move.
  func prepare(_ database: Database) {
    functions.register(in: database)
    _ = modelctl_enable_triggers(database.sqliteConnection, 0)
  }

  /// Runs every statement.
  func run(in database: Database) throws {
    let total = Double(max(1, plan.steps.count))
    for (position, step) in plan.steps.enumerated() {
      report(MigrationProgress(phase: .migrating, fraction: Double(position) / total))
      try step.statement.execute(in: database)
    }
    try dropTemporaryTables(database)
  }

  private func dropTemporaryTables(_ database: Database) throws {
    let names = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_temp_master WHERE type = 'table' AND name LIKE 'modelctl%'")
    for name in names { try database.execute(sql: "DROP TABLE temp.\(SQLIdentifier(name))") }
  }
}
