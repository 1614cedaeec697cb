import GRDB
import MappingModels

/// Asks a store's rows a plan's questions.
struct PlanInspection {
  let plan: MigrationPlan
  let options: MigrationOptions

  /// What stands in the way, everything at once.
  func obstacles(in database: Database) throws -> MigrationBlocked {
    var blocked = MigrationBlocked(blockers: try Self.blockers(of: plan.checks, of: plan, in: database), losses: [])
    for loss in plan.losses where !isConsented(loss.loss) {
      let count = try plan.attributing("\(loss.loss.element)") { try Self.count(loss.countQuery, in: database) }
      if count > 0 { blocked.losses.append(MigrationBlocked.UnconsentedLoss(loss: loss, count: count)) }
    }
    return blocked
  }

  /// The rows that some questions find.
  static func blockers(
    of checks: [PlanCheck], of plan: MigrationPlan, in database: Database
  ) throws -> [MigrationBlocked.Blocker] {
    try checks.compactMap { check in
      let count = try plan.attributing("\(check.obstacle.element)") {
        try Self.count("SELECT COUNT(*) FROM (\(check.query))", in: database)
      }
      guard count > 0 else { return nil }
      let first: SQLStatement = "SELECT * FROM (\(check.query)) LIMIT \(.integer(5))"
      let keys = try Int64.fetchAll(database, sql: first.text, arguments: first.databaseArguments)
      return MigrationBlocked.Blocker(obstacle: check.obstacle, count: count, firstKeys: keys)
    }
  }

  private func isConsented(_ loss: DataLoss) -> Bool {
    options.allowedLosses.contains(loss.element)
      || (loss.otherElement.map(options.allowedLosses.contains) ?? false)
  }

  private static func count(_ query: SQLStatement, in database: Database) throws -> Int {
    try Int.fetchOne(database, sql: query.text, arguments: query.databaseArguments) ?? 0
  }
}
