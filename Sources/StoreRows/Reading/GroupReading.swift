import GRDB
import GRDBSQLite
import MigrationSQL
import PersistentStores

extension RecordReading {
  /// Returns aggregates of groups of objects, with a single statement.
  ///
  /// - Parameters:
  ///   - keyPaths: the values that the objects of a group have in common: attributes and to-one relationships.
  ///   - request: the objects; its limit and offset apply to the groups, and it must lack an order.
  /// - Returns: the groups, sorted by the values they share; a missing value comes first.
  /// - Throws: ``RecordRequestError``, ``RecordAggregateError``, `DatabaseError`.
  public func groups(
    _ aggregates: [RecordAggregate], by keyPaths: [String], of request: RecordRequest
  ) throws -> [RecordGroup] {
    let plan = try GroupPlan(aggregates, by: keyPaths, of: request, in: store, now: now)
    let statement = try database.makeStatement(sql: plan.statement.text)
    statement.arguments = plan.statement.databaseArguments
    let cursor = GroupCursor(statement, plan, GroupDecoding(layout: store.layout, entity: request.entity))
    var groups: [RecordGroup] = []
    do {
      while let group = try cursor.next() { groups.append(group) }
    } catch let error as DatabaseError where error.message == "integer overflow" {
      throw RecordAggregateError.overflow(entity: request.entity)
    }
    return groups
  }

  /// Returns an aggregate of all objects of a request.
  public func aggregate(_ aggregate: RecordAggregate, of request: RecordRequest) throws -> RecordValue {
    try groups([aggregate], by: [], of: request).first?.values.first ?? .null
  }

  /// Returns the distinct values of a key path among the objects of a request, in ascending order; a missing value
  /// comes first.
  public func distinct(_ keyPath: String, of request: RecordRequest) throws -> [RecordValue] {
    try groups([], by: [keyPath], of: request).compactMap(\.keys.first)
  }
}

/// Converts the columns of a group to values.
private struct GroupDecoding {
  let layout: SQLStoreLayout
  let entity: String

  func value(_ column: GroupPlan.Column, _ row: SteppedRow) throws(RecordAggregateError) -> RecordValue {
    if let position = column.greatest, !row.isNull(position), row.number(position) == nil {
      throw .value(column.name, entity: entity)
    }
    switch column.content {
    case .value(let type, let isMarked):
      guard let value = row.value(column.position, type, isMarked: isMarked) else {
        throw .value(column.name, entity: entity)
      }
      return value
    case .object(let destination):
      guard let key = row.integer(column.position) else { return .null }
      let number = row.integer(column.position + 1).flatMap { Int(exactly: $0) }
      return .object(RecordID(entity: number.flatMap(layout.entity(number:)) ?? destination, key: key))
    case .composite: return .null
    }
  }
}

/// Steps through the rows of a statement for groups.
private final class GroupCursor: DatabaseCursor {
  typealias Element = RecordGroup

  var _isDone = false
  let _statement: Statement
  private let plan: GroupPlan
  private let decoding: GroupDecoding

  init(_ statement: Statement, _ plan: GroupPlan, _ decoding: GroupDecoding) {
    (_statement, self.plan, self.decoding) = (statement, plan, decoding)
  }

  func _element(sqliteStatement: SQLiteStatement) throws -> RecordGroup {
    let row = SteppedRow(statement: sqliteStatement)
    return RecordGroup(
      keys: try plan.keys.map { try decoding.value($0, row) },
      values: try plan.values.map { try decoding.value($0, row) })
  }
}
