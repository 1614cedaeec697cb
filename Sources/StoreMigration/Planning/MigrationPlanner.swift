public import MappingModels
import ModelDescription
public import PersistentStores

/// Makes plans: a pure function of two models, a mapping between them and what a store holds.
public struct MigrationPlanner: Sendable {
  /// The model and tables of the store.
  public var source: StoreModel
  /// The model and tables to be made.
  public var destination: StoreModel
  /// How the one becomes the other.
  public var mapping: MappingModel
  /// The property list of the destination's metadata, complete.
  public var metadata: [UInt8]
  /// What the user allows and decides.
  public var options: MigrationOptions

  /// Makes a planner.
  public init(
    source: StoreModel, destination: StoreModel, mapping: MappingModel, metadata: [UInt8],
    options: MigrationOptions = MigrationOptions()
  ) {
    self.source = source
    self.destination = destination
    self.mapping = mapping
    self.metadata = metadata
    self.options = options
  }

  /// Plans the migration of one store.
  ///
  /// - Parameters:
  ///   - snapshot: what the store holds, its rows counted where the costs of the steps are to be known.
  ///   - path: the names of the versions on the way, source first.
  /// - Returns: the plan.
  /// - Throws: ``MigrationRefusal``.
  public func plan(for snapshot: StoreSnapshot, path: [String]) throws(MigrationRefusal) -> MigrationPlan {
    let context = PlanningContext(
      source: source, destination: destination, mapping: mapping, snapshot: snapshot, options: options)
    try context.refuseUnknownReferences()
    let planning = TablePlanning(context)
    try context.refuseTakenNames(planning)
    let links = LinkSteps(for: planning, in: context)
    let indexes = IndexSteps(for: planning, in: context)
    let transfers = planning.copies + planning.alterations.map(\.transfer)
    let deduplication = Deduplication(context)
    let derived = DerivedSteps(for: transfers, in: context)
    let steps =
      indexes.clearing + deduplication.steps + RowRemoval(context, planning: planning).steps
      + links.reading + TableSteps.steps(for: planning, in: context) + links.writing + indexes.making
      + derived.steps + FinishingSteps(context, metadata: metadata).steps
    let (strategy, reason) = context.strategy(for: steps)
    let (asked, answered) = context.checks()
    return MigrationPlan(
      path: path, strategy: strategy, strategyReason: reason,
      checks: (steps.contains { $0.cost == .rows } ? context.strayRowChecks() : []) + asked
        + deduplication.checks, answeredChecks: answered,
      losses: context.losses() + deduplication.losses, steps: steps, expectedRows: context.expectedRows(),
      notes: indexes.notes + derived.notes + destination.newWarnings(since: source),
      scope: steps.scope(renaming: planning.keptTables))
  }
}
