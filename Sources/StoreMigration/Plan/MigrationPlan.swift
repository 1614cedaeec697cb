import GRDB
import MappingModels
import MigrationSQL
package import PersistentStores

/// The complete work of a migration as a value: modelctl runs exactly the steps that it prints.
///
/// ```swift
/// let request = try Workspace(at: "Models").load().migration(of: "store.sqlite")
/// for plan in try StoreMigrator(request).plan().prepared.stages.map(\.plan) {
///   for step in plan.steps { print(step.cause, step.statement) }
/// }
/// ```
///
/// ## Topics
///
/// ### Steps
/// - ``phases``
/// - ``steps``
/// - ``policies``
/// - ``strategy``
/// - ``strategyReason``
///
/// ### Checks
/// - ``checks``
/// - ``validations``
/// - ``expectedRows``
///
/// ### Information
/// - ``path``
/// - ``losses``
/// - ``notes``
/// - ``mappingPath``
/// - ``touchedRows``
/// - ``touchesRows``
public struct MigrationPlan: Hashable, Sendable {
  /// The versions on the path, source first.
  public var path: [String]
  /// The strategy for the steps.
  public var strategy: MigrationStrategy
  /// The reason for the strategy.
  public var strategyReason: StrategyReason
  /// The questions that must find no row.
  public var checks: [PlanCheck]
  /// The questions whose rows the options let it change or remove.
  var answeredChecks: [PlanCheck] = []
  /// The losses that must be allowed if they affect any data.
  public var losses: [PlannedLoss]
  /// The steps in their order.
  public var phases: [PlanPhase]
  /// The policies in code that steps run; nil if there are no policies.
  public var policies: PlannedPolicies?
  /// The path of the mapping model's file, nil for an inferred plan and for a mapping model without a file.
  public var mappingPath: String?
  /// The number of rows of the destination entities afterwards, for those of which it is known before.
  public var expectedRows: [String: Int]
  /// Remarks that the steps do not show.
  public var notes: [PlanNote]
  /// The destinations of values that rows cannot hold, by their attribute.
  package var exactCopies: [PropertyAddress: [PropertyAddress]] = [:]
  /// The parts of the result to verify; nil for the complete result.
  var scope: VerificationScope?

  /// The statements of all phases, in order.
  public var steps: [PlanStep] { phases.flatMap(\.steps) }

  /// The questions of all phases that must find no row once their steps have run.
  public var validations: [PlanCheck] { phases.flatMap(\.validations) }

  /// The rows that the steps touch, added up.
  public var touchedRows: Int { steps.reduce(0) { $0 + $1.rows } }

  /// True if a step reads or writes rows of objects.
  public var touchesRows: Bool { steps.contains(where: \.touchesObjects) }

  /// Runs a piece of work; where an expression of the mapping model fails in it, the error says that, and not the SQL.
  ///
  /// Interruptions, full disks and damaged stores stay what they are.
  ///
  /// - Parameter part: what is asked or done.
  /// - Returns: what the work gives.
  func attributing<Value>(_ part: MigrationError.FailedWork, _ work: () throws -> Value) throws -> Value {
    guard let mappingPath else { return try work() }
    do {
      return try work()
    } catch let error as DatabaseError
      where [.SQLITE_ERROR, .SQLITE_TOOBIG, .SQLITE_MISMATCH].contains(error.resultCode)
    {
      throw MigrationError.expressionFailed(mapping: mappingPath, work: part, detail: error.message ?? "no message")
    }
  }

  /// The losses that an option brings with it and consents to, each with how much of it there is.
  ///
  /// - Parameter database: a connection to the store, before anything is done.
  func impliedLosses(in database: Database) throws -> [PlanNote] {
    try losses.filter(\.isImplied).compactMap { loss -> PlanNote? in
      let count = try attributing(.loss(of: loss.loss.element)) {
        let query = loss.countQuery
        return try Int.fetchOne(database, sql: query.text, arguments: query.databaseArguments) ?? 0
      }
      return count > 0 ? .impliedLoss(loss.loss, count: count) : nil
    }
  }
}
