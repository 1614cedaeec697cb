import GRDB
import MappingModels
import MigrationSQL

/// Asks a store's rows a plan's questions.
struct PlanInspection {
  let plan: MigrationPlan
  let options: MigrationOptions

  /// All blockers together.
  func blocked(in database: Database) throws -> MigrationBlocked {
    var blocked = MigrationBlocked(blockers: try Self.blockers(of: plan.checks, of: plan, in: database), losses: [])
    for loss in plan.losses where !loss.isImplied && !isConsented(loss.loss) {
      let count = try plan.attributing(.loss(of: loss.loss.element)) { try Self.count(loss.countQuery, in: database) }
      if count > 0 { blocked.losses.append(MigrationBlocked.UnconsentedLoss(loss: loss, count: count)) }
    }
    return blocked
  }

  /// The allowed losses of the plan, each with its amount.
  func givenUp(in database: Database) throws -> [MigrationBlocked.UnconsentedLoss] {
    try plan.losses.compactMap { loss in
      let count = try Self.count(loss.countQuery, in: database)
      return count > 0 ? MigrationBlocked.UnconsentedLoss(loss: loss, count: count) : nil
    }
  }

  /// True if there is any of what the options let the plan lose, change or remove.
  func givesUpAnything(in database: Database) throws -> Bool {
    for loss in plan.losses where try Self.count(loss.countQuery, in: database) > 0 { return true }
    for check in plan.answeredChecks where try Self.isAny("SELECT 1 FROM (\(check.query)) LIMIT 1", in: database) {
      return true
    }
    return false
  }

  /// The most conditions that one pass asks for; SQLite bounds the depth of an expression.
  private static let scanLimit = 100

  /// The rows that some questions find; those to the same rows are asked together first.
  static func blockers(
    of checks: [PlanCheck], of plan: MigrationPlan, in database: Database
  ) throws -> [MigrationBlocked.BlockingRows] {
    var silent: Set<PlanCheck.Scan> = []
    for (rows, scans) in Dictionary(grouping: checks.compactMap(\.scan), by: \.rows) where scans.count > 1 {
      for start in stride(from: 0, to: scans.count, by: scanLimit) {
        let part = scans[start..<min(start + scanLimit, scans.count)]
        let condition = part.map { "(\($0.condition))" as SQLStatement }.joined(" OR ")
        let question: SQLStatement = "SELECT 1 FROM \(rows) WHERE \(condition) LIMIT 1"
        // What fails here fails again when each is asked by itself, where the error has a name.
        if let found = try? Self.isAny(question, in: database), !found { silent.formUnion(part) }
      }
    }
    return try checks.compactMap { check in
      if let scan = check.scan, silent.contains(scan) { return nil }
      let count = try plan.attributing(.check(of: check.blocker.element)) {
        try Self.count("SELECT COUNT(*) FROM (\(check.query))", in: database)
      }
      guard count > 0 else { return nil }
      let first: SQLStatement = "SELECT * FROM (\(check.query)) LIMIT \(.integer(5))"
      let keys = try Int64.fetchAll(database, sql: first.text, arguments: first.databaseArguments)
      return MigrationBlocked.BlockingRows(blocker: check.blocker, count: count, firstKeys: keys)
    }
  }

  private static func isAny(_ question: SQLStatement, in database: Database) throws -> Bool {
    try Int.fetchOne(database, sql: question.text, arguments: question.databaseArguments) != nil
  }

  private func isConsented(_ loss: DataLoss) -> Bool {
    [loss.element, loss.otherElement].contains { $0.map(options.allowsLoss(of:)) ?? false }
  }

  private static func count(_ query: SQLStatement, in database: Database) throws -> Int {
    try Int.fetchOne(database, sql: query.text, arguments: query.databaseArguments) ?? 0
  }
}
