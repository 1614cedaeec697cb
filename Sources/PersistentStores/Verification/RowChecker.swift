import GRDB

/// Runs checks over the rows of a store: one scan counts for all checks of a table, and only what fails is looked at
/// again.
enum RowChecker {
  /// The most checks in one statement; SQLite allows 2,000 columns.
  private static let checkLimit = 100
  /// The most parameters in one statement; SQLite allows 32,766 unless it is built otherwise.
  private static let argumentLimit = 16_000
  /// The number of keys that a problem names.
  static let keyLimit = 5

  /// Runs the checks of one table.
  static func problems(of checks: TableChecks, in database: Database) throws -> [StoreProblem] {
    var problems: [StoreProblem] = []
    for part in batches(of: checks.checks) {
      let counts = try counts(of: part, in: checks.table, database)
      for (check, count) in zip(part, counts) where count > 0 {
        problems.append(
          StoreProblem(
            check.kind, severity: check.severity, entity: check.entity, property: check.property, count: count,
            primaryKeys: try keys(of: check, in: checks, database), sentence: check.sentence))
      }
    }
    return problems
  }

  private static func batches(of checks: [RowCheck]) -> [[RowCheck]] {
    var batches: [[RowCheck]] = []
    var arguments = 0
    for check in checks {
      arguments += check.arguments.count
      if let last = batches.last, last.count < checkLimit, arguments <= argumentLimit {
        batches[batches.count - 1].append(check)
      } else {
        batches.append([check])
        arguments = check.arguments.count
      }
    }
    return batches
  }

  private static func counts(of checks: [RowCheck], in table: String, _ database: Database) throws -> [Int] {
    let sums = checks.map { "TOTAL(CASE WHEN \($0.condition) THEN 1 ELSE 0 END)" }.joined(separator: ", ")
    let row = try Row.fetchOne(
      database, sql: "SELECT \(sums) FROM \(SQLIdentifier(table)) AS t",
      arguments: StatementArguments(checks.flatMap(\.arguments)))
    return checks.indices.map { Int(row?.integer($0) ?? 0) }
  }

  private static func keys(of check: RowCheck, in checks: TableChecks, _ database: Database) throws -> [Int64] {
    let key = "t.\(SQLIdentifier(checks.keyColumn))"
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT \(key) FROM \(SQLIdentifier(checks.table)) AS t WHERE \(check.condition) ORDER BY \(key) LIMIT ?",
      arguments: StatementArguments(check.arguments + [Int64(keyLimit)]))
    return rows.compactMap { $0.integer(0) }
  }
}
