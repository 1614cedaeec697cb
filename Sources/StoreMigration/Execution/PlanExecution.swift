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

  /// Runs every statement, and asks what must hold of the objects it made.
  ///
  /// - Throws: ``MigrationBlocked`` when a validation finds rows, `DatabaseError`.
  func run(in database: Database) throws {
    let total = Double(max(1, plan.steps.count))
    let policies = try plan.policies.map { try PolicySession($0.work, in: database) }
    for (position, step) in plan.steps.enumerated() {
      if position == plan.validationPosition { try validate(database) }
      report(MigrationProgress(phase: .migrating, fraction: Double(position) / total))
      if let pass = step.policyPass {
        try policies?.run(pass)
      } else {
        try plan.attributing(step.cause) { try step.statement.execute(in: database) }
      }
    }
    if plan.validationPosition.map({ $0 >= plan.steps.count }) ?? true { try validate(database) }
    try dropTemporaryTables(database)
  }

  private func validate(_ database: Database) throws {
    let blocked = try PlanInspection.blockers(of: plan.validations, of: plan, in: database)
    guard blocked.isEmpty else { throw MigrationBlocked(blockers: blocked, losses: []) }
  }

  private func dropTemporaryTables(_ database: Database) throws {
    let names = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_temp_master WHERE type = 'table' AND name LIKE 'modelctl%'")
    for name in names { try database.execute(sql: "DROP TABLE temp.\(SQLIdentifier(name))") }
  }
}
