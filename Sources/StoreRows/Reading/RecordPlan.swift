import Foundation
import GRDB
import MigrationSQL
import PersistentStores

/// A request as SQL, and what its rows mean: a pure function of the request and the store's layout.
struct RecordPlan {
  /// The name by which the statement knows the object's row.
  private static let row = "o"

  let statement: SQLStatement
  /// The properties, after the key, the entity number and the version.
  let columns: [RecordColumn]

  /// Plans a request.
  ///
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - filter: the only objects to give; nil for all.
  ///   - now: what `now()` gives, in seconds since 2001.
  init(
    _ request: RecordRequest, of store: StoreModel, only filter: KeyFilter? = nil, now: Double
  ) throws(RecordRequestError) {
    let planning = try RequestPlanning(request, store, filter, now: now)
    let properties = try planning.properties()
    var selected: [SQLStatement] = ["Z_PK", "Z_ENT", "Z_OPT"].map { "\(name: Self.row).\(name: $0)" }
    columns = try planning.columns(of: properties, selecting: &selected)
    statement = "SELECT \(selected.joined()) \(try planning.tail())\(try planning.order())\(planning.window)"
  }

  /// The number of objects that a request would give, limit and offset left out.
  static func count(
    _ request: RecordRequest, of store: StoreModel, now: Double
  ) throws(RecordRequestError) -> SQLStatement {
    "SELECT COUNT(*) \(try RequestPlanning(request, store, nil, now: now).tail())"
  }
}

extension SQLStatement {
  /// The members of a list of keys, however long it is.
  static func values(_ keys: [Int64]) -> SQLStatement { "SELECT value FROM json_each(\(.text(keyList(keys))))" }

  static func keyList(_ keys: [Int64]) -> String { "[\(keys.map(String.init).joined(separator: ","))]" }
}

/// The rows that have one of some keys in a column.
struct KeyFilter {
  let column: String
  let keys: [Int64]

  /// The rows whose own keys they are.
  init(of keys: [Int64]) { self.init("Z_PK", keys) }

  /// The rows that refer to others in a column.
  init(_ column: String, _ keys: [Int64]) { (self.column, self.keys) = (column, keys) }

  /// What must hold of a row that a statement knows by a name.
  func condition(_ row: String) -> SQLStatement { "\(name: row).\(name: column) IN (\(SQLStatement.values(keys)))" }
}

/// The plans of reading whole objects by their keys, one for each entity of a store, so that reading one object plans
/// nothing.
package final class WholeRecordPlans: @unchecked Sendable {
  /// What is read of one entity.
  struct Plan {
    let sql: String
    /// The arguments before the keys, which come last.
    let arguments: [DatabaseValue]
    let decoding: RecordDecoding

    func arguments(_ keys: String) -> StatementArguments { StatementArguments(arguments + [keys.databaseValue]) }
  }

  private let lock = NSLock()
  private var plans: [String: Plan] = [:]

  /// Knows no plan yet.
  package init() {}

  func plan(of entity: String, in store: StoreModel) throws(RecordRequestError) -> Plan {
    if let known = lock.withLock({ plans[entity] }) { return known }
    var request = RecordRequest(entity)
    request.includesSubentities = false
    let plan = try RecordPlan(request, of: store, only: KeyFilter(of: []), now: 0)
    let made = Plan(
      sql: plan.statement.text, arguments: plan.statement.arguments.dropLast().map(\.argument),
      decoding: RecordDecoding(plan: plan, layout: store.layout, entity: entity))
    lock.withLock { plans[entity] = made }
    return made
  }
}
