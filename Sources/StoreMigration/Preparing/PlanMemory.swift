import MigrationSQL
import PersistentStores

/// The plans that were made last, so that of many stores of one shape one is planned.
///
/// What is asked of rows is no part of it: checks, losses and validations are questions of the plan, asked of each store.
final class PlanMemory: Sendable {
  private let touching = RecentValues<StoreShape, Bool>(capacity: 16) { $0.isEqual(to: $1) }
  private let planned = RecentValues<StoreShape, [PlannedStage]>(capacity: 16) { $0.isEqual(to: $1) }

  /// Whether the first stage of a shape touches rows, which is found out once.
  func touchesRows(_ shape: StoreShape, _ find: () throws -> Bool) rethrows -> Bool {
    try shape.isComparable ? touching.value(for: shape, make: find) : find()
  }

  /// The stages of a shape, which are planned once.
  func stages(_ shape: StoreShape, _ plan: () throws -> [PlannedStage]) rethrows -> [PlannedStage] {
    guard shape.isComparable else { return try plan() }
    return try planned.value(
      for: shape, isKept: { stages in !stages.contains { $0.stage.plan.holds(.real(shape.now)) } }, make: plan)
  }
}

extension MigrationPlan {
  /// True when a statement or a question has a value among its arguments.
  func holds(_ value: SQLValue) -> Bool {
    let questions = (checks + answeredChecks + validations).flatMap { check in
      [check.query] + (check.scan.map { [$0.rows, $0.condition] } ?? [])
    }
    let statements =
      steps.flatMap { [$0.statement] + ($0.runIf.map { [$0.question] } ?? []) } + questions + losses.map(\.countQuery)
    return statements.contains { $0.arguments.contains(value) }
  }
}
