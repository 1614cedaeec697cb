import Foundation
import GRDB
import MigrationSQL
import PersistentStores

/// A request as SQL, with the meaning of its rows.
struct RecordPlan {
  /// The alias of the object's row in the statement.
  private static let row = "o"

  let statement: SQLStatement
  /// The properties, after the key, the entity number and the version.
  let columns: [RecordColumn]

  /// Plans a request.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - filter: restricts the result to some objects; nil for all.
  ///   - now: the value of `now()`, in seconds since 2001.
  init(
    _ request: RecordRequest, of store: StoreModel, only filter: KeyFilter? = nil, now: Double
  ) throws(RecordRequestError) {
    let planning = try RequestPlanning(request, store, filter, now: now)
    let properties = try planning.properties()
    var selected: [SQLStatement] = ["Z_PK", "Z_ENT", "Z_OPT"].map { "\(name: Self.row).\(name: $0)" }
    columns = try planning.columns(of: properties, selecting: &selected)
    statement = "SELECT \(selected.joined()) \(try planning.tail())\(try planning.order())\(planning.window)"
  }

  /// The number of objects of a request, without its limit and offset.
  static func count(
    _ request: RecordRequest, of store: StoreModel, now: Double
  ) throws(RecordRequestError) -> SQLStatement {
    "SELECT COUNT(*) \(try RequestPlanning(request, store, nil, now: now).tail())"
  }
}

extension SQLStatement {
  /// The members of a list of keys of any length.
  static func values(_ keys: [Int64]) -> SQLStatement { "SELECT value FROM json_each(\(.text(keyList(keys))))" }

  static func keyList(_ keys: [Int64]) -> String { "[\(keys.map(String.init).joined(separator: ","))]" }
}

/// The rows with one of some keys in a column.
struct KeyFilter {
  let column: String
  let keys: [Int64]

  /// Filters by the keys of the rows themselves.
  init(of keys: [Int64]) { self.init("Z_PK", keys) }

  /// Filters by the keys that the rows refer to in a column.
  init(_ column: String, _ keys: [Int64]) { (self.column, self.keys) = (column, keys) }

  /// The condition for a row with an alias in the statement.
  func condition(_ row: String) -> SQLStatement { "\(name: row).\(name: column) IN (\(SQLStatement.values(keys)))" }
}

/// The cached plans for reading complete objects by their keys, one for each entity of a store.
package final class WholeRecordPlans: @unchecked Sendable {
  /// The plan of a single entity.
  struct Plan {
    let sql: String
    /// The arguments before the keys, which are the last arguments.
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
