import CSQLiteConnection
import GRDB
import MigrationSQL
import PersistentStores

/// Runs the statements of a plan on a connection that is in a transaction.
struct PlanExecution {
  let plan: MigrationPlan
  /// Asks questions to a copy on two connections, nil for the store itself.
  var side: SideConnection?
  let report: (MigrationProgress) -> Void

  /// Prepares a connection that has the functions: the app's own triggers stay silent while rows move, and
  /// definitions of tables can be written.
  static func prepare(_ database: Database) {
    _ = modelctl_enable_triggers(database.sqliteConnection, 0)
    _ = modelctl_allow_schema_writing(database.sqliteConnection)
  }

  /// Runs every statement, and asks what must hold of the objects it made.
  func run(in database: Database) throws {
    let policies = try plan.policies.map { try PolicySession($0.work, in: database) }
    let steps = plan.steps
    var position = 0
    for phase in plan.phases {
      var idle: Set<Int> = []
      for (place, step) in phase.steps.enumerated() {
        if step.runIf != nil, place == 0 || phase.steps[place - 1].runIf == nil {
          idle = try idleSteps(among: steps, from: position, in: database)
        }
        report(MigrationProgress(phase: .migrating, fraction: Double(position) / Double(steps.count)))
        if !idle.contains(position) { try run(step, policies, in: database) }
        position += 1
      }
      try validate(phase.validations, in: database)
    }
    try dropTemporaryTables(database)
  }

  private func run(_ step: PlanStep, _ policies: PolicySession?, in database: Database) throws {
    switch step.action {
    case .policy(let pass): try policies?.run(pass)
    case .sql(let statement):
      try plan.attributing(.step(step.cause)) {
        do {
          try statement.execute(in: database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          try validateAll(database)
          throw error
        }
      }
    }
  }

  /// The steps of a row of those with a condition that would change nothing.
  private func idleSteps(among steps: [PlanStep], from start: Int, in database: Database) throws -> Set<Int> {
    let row = steps[start...].prefix { $0.runIf != nil }
    let known = Dictionary(
      uniqueKeysWithValues: row.indices.compactMap { position in
        steps[position].runIf?.asksOriginal == true ? side?.original?.isIdle(position).map { (position, $0) } : nil
      })
    let asking = row.indices.filter { known[$0] == nil }
    let questions = asking.compactMap { steps[$0].runIf?.question }.map { question in
      { @Sendable (database: Database) throws -> Bool in
        try Row.fetchOne(database, sql: question.text, arguments: question.databaseArguments) != nil
      }
    }
    let answers = try ask(questions, in: database)
    return Set(known.filter(\.value).keys).union(zip(asking, answers).filter { !$0.1 }.map(\.0))
  }

  /// Asks what must hold, except for what a unique index will refuse anyway; but a blocker is reported with all others.
  private func validate(_ validations: [PlanCheck], in database: Database) throws {
    let asked = validations.filter { !$0.isEnforced }
    guard !asked.isEmpty else { return }
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
