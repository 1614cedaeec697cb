public import MappingModels
import ModelDescription
public import PersistentStores

/// Makes plans for a mapping model that somebody wrote: a pure function of two models, the mapping and what a store holds.
///
/// Objects are made, linked and validated in Core Data's order, but all objects of an entity mapping at once: its three
/// passes become `INSERT … SELECT` statements into new tables beside the old ones.
public struct MappedMigrationPlanner: Sendable {
  /// The model and tables of the store.
  public var source: StoreModel
  /// The model and tables to be made.
  public var destination: StoreModel
  /// How the one becomes the other.
  public var mapping: CustomMappingModel
  /// The property list of the destination's metadata, complete.
  public var metadata: [UInt8]
  /// What the user allows and decides.
  public var options: MigrationOptions

  /// Makes a planner.
  public init(
    source: StoreModel, destination: StoreModel, mapping: CustomMappingModel, metadata: [UInt8],
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
  public func plan(for snapshot: StoreSnapshot, path: [String]) throws -> MigrationPlan {
    let context = try MappedContext(
      source: source, destination: destination, mapping: mapping, snapshot: snapshot, options: options, makers: [:])
    try context.surroundings.refuseUnknownReferences(rowsChange: context.movesRows)
    let expressions: (MappedEntity) -> any RowExpressions = {
      PlainRowExpressions(source: context.staged, entity: $0.source)
    }
    let transfers = context.transfers()
    let planning = TablePlanning(copying: transfers, to: destination)
    let indexes = IndexSteps(for: planning, in: context.surroundings)
    let derived = DerivedSteps(for: transfers, in: context.surroundings)
    let staging = StagingSteps(context, transfers: transfers)
    let links = LinkPlanning(try LinkGathering(context, expressions: expressions), in: context)
    let making =
      indexes.clearing + staging.opening + (try AssociationSteps(context, expressions: expressions).steps)
      + (try CreateSteps(context, transfers: transfers, links: links, expressions: expressions).steps) + links.steps
    let steps =
      making + staging.closing + indexes.making + derived.steps
      + FinishingSteps(context.surroundings, metadata: metadata, feeding: context.feedingRoots).steps
    let losses = try MappedLosses(context, expressions: { PlainRowExpressions(source: source, entity: $0.source) })
    return MigrationPlan(
      path: path, strategy: options.strategy ?? .clone,
      strategyReason: options.strategy == nil ? "a mapping model makes every row anew" : "as asked",
      checks: context.surroundings.strayRowChecks(), losses: losses.losses, steps: steps,
      validations: links.checks + MappedValidations(context).checks, validationPosition: making.count,
      expectedRows: context.expectedRows(), notes: indexes.notes + derived.notes)
  }
}

extension MappedContext {
  /// The rows of every destination entity afterwards, for those of which that is known before.
  func expectedRows() -> [String: Int] {
    guard !snapshot.rowCounts.isEmpty else { return [:] }
    var expected: [String: Int] = [:]
    for name in destination.layout.entityNumbers.map(\.name) {
      let makers = entities.filter { $0.destination == name }
      guard makers.allSatisfy({ $0.mapping.filter == nil && $0.maker == .expressions }) else { continue }
      expected[name] = makers.reduce(0) { $0 + rowCount(of: $1) }
    }
    return expected
  }
}
