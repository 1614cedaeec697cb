import Foundation
import MigrationSQL

/// The plans that were made last, so that of many stores of one shape one is planned.
///
/// What is asked of rows is no part of it: checks, losses and validations are questions of the plan, asked of each store.
final class PlanMemory: @unchecked Sendable {
  /// As many as the shapes that a few threads meet in turns.
  private static let capacity = 16

  private let lock = NSLock()
  private var touching: [(shape: StoreShape, value: Bool)] = []
  private var planned: [(shape: StoreShape, value: [PlannedStage])] = []

  /// True when no plan was made yet.
  var isEmpty: Bool { lock.withLock { touching.isEmpty && planned.isEmpty } }

  /// Whether the first stage of a shape touches rows, which is found out once.
  func touchesRows(_ shape: StoreShape, _ find: () throws -> Bool) rethrows -> Bool {
    try recall(shape, in: \.touching, isShared: { _ in true }, make: find)
  }

  /// The stages of a shape, which are planned once.
  func stages(_ shape: StoreShape, _ plan: () throws -> [PlannedStage]) rethrows -> [PlannedStage] {
    try recall(
      shape, in: \.planned, isShared: { stages in !stages.contains { $0.stage.plan.holds(.real(shape.now)) } },
      make: plan)
  }

  /// What is known, or is made now; two threads may make the same.
  private func recall<Value>(
    _ shape: StoreShape, in memory: ReferenceWritableKeyPath<PlanMemory, [(shape: StoreShape, value: Value)]>,
    isShared: (Value) -> Bool, make: () throws -> Value
  ) rethrows -> Value {
    guard shape.isComparable else { return try make() }
    let known = lock.withLock { self[keyPath: memory] }.first { $0.shape.isEqual(to: shape) }
    if let known { return known.value }
    let made = try make()
    guard isShared(made) else { return made }
    lock.withLock {
      if self[keyPath: memory].count >= Self.capacity { self[keyPath: memory].removeFirst() }
      self[keyPath: memory].append((shape, made))
    }
    return made
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
