import GRDB
import MigrationSQL
public import ModelDescription

extension RecordReading {
  /// The store's model.
  public var hierarchy: EntityHierarchy { store.hierarchy }

  /// How SQLite would answer a request; nothing is read.
  ///
  /// - Parameter request: what would be asked for.
  /// - Returns: the statement and SQLite's plan of it.
  /// - Throws: ``RecordRequestError``, `DatabaseError`.
  public func explain(_ request: RecordRequest) throws -> RequestExplanation {
    try explain(RecordPlan(request, of: store, now: now).statement)
  }

  /// How SQLite would count what a request asks for; nothing is read.
  ///
  /// - Throws: as ``explain(_:)``.
  public func explainCount(_ request: RecordRequest) throws -> RequestExplanation {
    try explain(RecordPlan.count(request, of: store, now: now))
  }

  /// How SQLite would answer a request for groups; nothing is read.
  ///
  /// - Throws: as ``explain(_:)``.
  public func explain(
    _ aggregates: [RecordAggregate], by keyPaths: [String], of request: RecordRequest
  ) throws -> RequestExplanation {
    try explain(GroupPlan(aggregates, by: keyPaths, of: request, in: store, now: now).statement)
  }

  private func explain(_ statement: SQLStatement) throws -> RequestExplanation {
    let rows = try Row.fetchAll(
      database, sql: "EXPLAIN QUERY PLAN \(statement.text)", arguments: statement.databaseArguments)
    let steps = rows.map { row in
      RequestExplanation.Step(number: row[0], parent: row[1] == 0 ? nil : row[1], detail: row[3])
    }
    return RequestExplanation(sql: statement.shortened, steps: steps)
  }
}
