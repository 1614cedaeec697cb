import GRDB

/// Runs checks over the rows of a store: one scan counts for all checks of a table, and only what fails is looked at
/// again.
enum RowChecker {
  /// The most checks in one statement; SQLite allows 2,000 columns and, by default, 32,766 parameters.
  private static let batch = 100
  /// The number of keys that a problem names.
  static let keyLimit = 5

  /// Runs the checks of one table.
  static func problems(of checks: TableChecks, in database: Database) throws -> [StoreProblem] {
    var problems: [StoreProblem] = []
    for start in stride(from: 0, to: checks.checks.count, by: batch) {
      let part = Array(checks.checks[start..<min(start + batch, checks.checks.count)])
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
