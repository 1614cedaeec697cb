import CSQLiteConnection
import GRDB
import PersistentStores

/// Runs the statements of a plan on a connection that is in a transaction.
struct PlanExecution {
  let plan: MigrationPlan
  let functions: ConversionFunctions
  /// Asks questions to a copy on two connections, nil for the store itself.
  var side: SideConnection?
  let report: (MigrationProgress) -> Void

  /// Prepares a connection: functions are there, the app's own triggers stay silent while rows move, and
  /// definitions of tables can be written.
  func prepare(_ database: Database) {
    functions.register(in: database)
    _ = modelctl_enable_triggers(database.sqliteConnection, 0)
    _ = modelctl_allow_schema_writing(database.sqliteConnection)
  }

  /// Runs every statement, and asks what must hold of the objects it made.
  ///
  /// - Throws: ``MigrationBlocked`` when a validation finds rows, `DatabaseError`.
  func run(in database: Database) throws {
    let total = Double(max(1, plan.steps.count))
    let policies = try plan.policies.map { try PolicySession($0.work, in: database) }
    var idle: Set<Int> = []
    for (position, step) in plan.steps.enumerated() {
      if step.question != nil, position == 0 || plan.steps[position - 1].question == nil {
        idle = try idleSteps(from: position, in: database)
      }
      if position == plan.validationPosition { try validate(database) }
      report(MigrationProgress(phase: .migrating, fraction: Double(position) / total))
      if idle.contains(position) { continue }
      if let pass = step.policyPass {
        try policies?.run(pass)
      } else {
        try plan.attributing(step.cause) {
          do {
            try step.statement.execute(in: database)
          } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            try validateAll(database)
            throw error
          }
        }
      }
    }
    if plan.validationPosition.map({ $0 >= plan.steps.count }) ?? true { try validate(database) }
    try dropTemporaryTables(database)
  }

  /// The steps of a row of those with a question that would change nothing.
  private func idleSteps(from start: Int, in database: Database) throws -> Set<Int> {
    let row = plan.steps[start...].prefix { $0.question != nil }
    let known = Dictionary(
      uniqueKeysWithValues: row.indices.compactMap { position in
        plan.steps[position].asksOriginal ? side?.original?.isIdle(position).map { (position, $0) } : nil
      })
    let asking = row.indices.filter { known[$0] == nil }
    let questions = asking.compactMap { plan.steps[$0].question }.map { question in
      { @Sendable (database: Database) throws -> Bool in
        try Row.fetchOne(database, sql: question.text, arguments: question.databaseArguments) != nil
      }
    }
    let answers = try ask(questions, in: database)
    return Set(known.filter(\.value).keys).union(zip(asking, answers).filter { !$0.1 }.map(\.0))
  }

  /// Asks what must hold, except for what a unique index will refuse anyway; but an obstacle is told with all others.
  private func validate(_ database: Database) throws {
    let asked = plan.validations.filter { !$0.isEnforced }
    let (own, shared) = (asked.filter(\.readsGathered), asked.filter { !$0.readsGathered })
    let questions = shared.map { [plan] check in
      { @Sendable (database: Database) throws -> Bool in
        try !PlanInspection.blockers(of: [check], of: plan, in: database).isEmpty
      }
    }
    let isBlocked =
      try !PlanInspection.blockers(of: own, of: plan, in: database).isEmpty
      || ask(questions, in: database).contains(true)
    if isBlocked { try validateAll(database) }
  }

  /// Asks questions whose order does not matter.
  private func ask<Answer: Sendable>(
    _ questions: [@Sendable (Database) throws -> Answer], in database: Database
  ) throws -> [Answer] {
    guard let side, !questions.isEmpty else { return try questions.map { try $0(database) } }
    return try side.ask(questions, beside: database)
  }

  private func validateAll(_ database: Database) throws {
    let blocked = try PlanInspection.blockers(of: plan.validations, of: plan, in: database)
    guard blocked.isEmpty else { throw MigrationBlocked(blockers: blocked, losses: []) }
  }

  private func dropTemporaryTables(_ database: Database) throws {
    let names = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_temp_master WHERE type = 'table' AND name LIKE 'modelctl%'")
    for name in names { try database.execute(sql: "DROP TABLE temp.\(SQLIdentifier(name))") }
  }
}
