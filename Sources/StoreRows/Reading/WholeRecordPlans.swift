import Foundation
import GRDB
import MigrationSQL
import PersistentStores

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

  /// The plan of an entity.
  ///
  /// - Throws: ``RecordRequestError``.
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
