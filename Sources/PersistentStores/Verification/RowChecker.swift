import GRDB

/// Runs checks over the rows of a store.
///
/// One query per table and per reference column shows if there are any findings; only then is each check counted.
/// References are looked up in the order of their keys, by an index if there is one, so that every page is read once
/// even with a small cache.
struct RowChecker {
  /// The maximum number of checks in a single statement; SQLite allows 2,000 columns.
  private static let checkLimit = 100
  /// The maximum number of parameters in a single statement; SQLite allows 32,766 by default.
  private static let argumentLimit = 16_000
  /// The number of keys that a problem names.
  static let keyLimit = 5

  /// The columns that an index of a table begins with, upper-cased.
  private let ordered: Set<String>
  private let checks: TableChecks

  init(_ checks: TableChecks, indexes: [StoreSnapshot.Index]) {
    self.checks = checks
    let own = indexes.filter { $0.table.uppercased() == checks.table.uppercased() }
    ordered = Set(own.compactMap { $0.columns.first?.uppercased() })
  }

  var questions: [RowQuestion] {
    batches.map { batch in { @Sendable database in try problems(of: batch, in: database) } }
      + checks.references.map { reference in { @Sendable database in try problems(of: reference, in: database) } }
  }

  private var batches: [[RowCheck]] {
    var batches: [[RowCheck]] = []
    var arguments = 0
    for check in checks.checks {
      arguments += check.arguments.count
      if let last = batches.last, last.count < Self.checkLimit, arguments <= Self.argumentLimit {
        batches[batches.count - 1].append(check)
      } else {
        batches.append([check])
        arguments = check.arguments.count
      }
    }
    return batches
  }

  private func problems(of batch: [RowCheck], in database: Database) throws -> [StoreFinding] {
    let any = batch.map { "(\($0.condition))" }.joined(separator: " OR ")
    let found = try Row.fetchOne(
      database, sql: "SELECT 1 FROM \(SQLIdentifier(checks.table)) AS t WHERE \(any) LIMIT 1",
      arguments: StatementArguments(batch.flatMap(\.arguments)))
    return found == nil ? [] : try counted(batch, database)
  }

  private func problems(of reference: ReferenceChecks, in database: Database) throws -> [StoreFinding] {
    let column = SQLIdentifier(reference.column)
    let found = try Row.fetchOne(
      database,
      sql: """
        SELECT 1 FROM \(rows(of: reference)) AS t WHERE t.\(column) IS NOT NULL AND NOT EXISTS \
        (SELECT 1 FROM \(SQLIdentifier(reference.target)) AS d WHERE \(reference.soundness)) LIMIT 1
        """, arguments: StatementArguments(reference.arguments))
    return found == nil ? [] : try counted(reference.checks, database)
  }

  /// The rows in the order of a reference: by an index that has all needed columns, or sorted.
  private func rows(of reference: ReferenceChecks) -> String {
    let table = SQLIdentifier(checks.table)
    guard reference.companion != nil || !ordered.contains(reference.column.uppercased()) else { return table.quoted }
    let key = checks.keyColumn == "Z_PK" ? ["Z_PK"] : []
    let names = ([reference.column, reference.companion].compactMap { $0 } + key).map { SQLIdentifier($0).quoted }
    // The sign keeps SQLite from walking an index row by row, the limit from forgetting the order.
    return "(SELECT \(names.joined(separator: ", ")) FROM \(table) ORDER BY +\(names[0]) LIMIT -1)"
  }

  /// Counts the findings of each check, in the rows of a table or in the rows that another check finds.
  private func counted(
    _ batch: [RowCheck], _ database: Database, among rows: RowCheck? = nil
  ) throws -> [StoreFinding] {
    let sums = batch.map { "TOTAL(CASE WHEN \($0.condition) THEN 1 ELSE 0 END)" }.joined(separator: ", ")
    let row = try Row.fetchOne(
      database,
      sql: "SELECT \(sums) FROM \(SQLIdentifier(checks.table)) AS t WHERE \(rows?.condition ?? "1")",
      arguments: StatementArguments(batch.flatMap(\.arguments) + (rows?.arguments ?? [])))
    return try zip(batch, batch.indices).flatMap { check, position -> [StoreFinding] in
      let count = Int(row?.integer(position) ?? 0)
      guard count > 0 else { return [] }
      guard check.parts.isEmpty else { return try counted(check.parts, database, among: check) }
      return [
        StoreFinding(
          check.kind, severity: check.severity, entity: check.entity, property: check.property, count: count,
          primaryKeys: try keys(of: check, database, among: rows), sentence: check.sentence)
      ]
    }
  }

  private func keys(of check: RowCheck, _ database: Database, among rows: RowCheck?) throws -> [Int64] {
    let key = "t.\(SQLIdentifier(checks.keyColumn))"
    let condition = "(\(check.condition)) AND (\(rows?.condition ?? "1"))"
    let found = try Row.fetchAll(
      database,
      sql: "SELECT \(key) FROM \(SQLIdentifier(checks.table)) AS t WHERE \(condition) ORDER BY \(key) LIMIT ?",
      arguments: StatementArguments(check.arguments + (rows?.arguments ?? []) + [Int64(Self.keyLimit)]))
    return found.compactMap { $0.integer(0) }
  }
}
