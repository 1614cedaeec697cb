import PersistentStores

/// Everything a migration will do to a store, as a value: what `plan` prints is what `migrate` runs.
public struct MigrationPlan: Hashable, Sendable {
  /// The versions on the way, source first.
  public var path: [String]
  /// How the steps are run.
  public var strategy: MigrationStrategy
  /// Why that strategy was chosen, in one sentence.
  public var strategyReason: String
  /// The questions that must find no row.
  public var checks: [PlanCheck]
  /// The questions whose rows the options let it change or remove.
  var answeredChecks: [PlanCheck] = []
  /// What is given up and needs consent when there is any of it.
  public var losses: [PlannedLoss]
  /// The statements in order.
  public var steps: [PlanStep]
  /// The questions that must find no row once the objects are made and linked, before anything is kept.
  public var validations: [PlanCheck] = []
  /// The number of steps after which the validations are asked; nil asks them after the last.
  public var validationPosition: Int?
  /// The policies in code that steps run, nil when there are none.
  public var policies: PlannedPolicies?
  /// The path of the mapping model's file, nil for an inferred plan and for a mapping model without a file.
  public var mappingPath: String?
  /// The number of rows of every destination entity afterwards; empty when the plan touches no row.
  public var expectedRows: [String: Int]
  /// What a reader should know and the steps do not tell.
  public var notes: [String]
  /// What of the result is to be verified, nil for all of it.
  var scope: VerificationScope?

  /// The rows that the steps touch, added up.
  public var touchedRows: Int { steps.reduce(0) { $0 + $1.rows } }

  /// True when a step reads or writes rows.
  public var touchesRows: Bool { steps.contains { $0.cost == .rows } }
}
