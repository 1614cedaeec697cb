public import Foundation
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
  /// The policies in code.
  public var policies: PolicyRegistry
  /// What `now()` gives, in seconds since 2001-01-01T00:00:00Z: one time for the whole plan.
  public var now: Double

  /// Makes a planner.
  public init(
    source: StoreModel, destination: StoreModel, mapping: CustomMappingModel, metadata: [UInt8],
    options: MigrationOptions = MigrationOptions(), policies: PolicyRegistry = PolicyRegistry(),
    now: Double = Date().timeIntervalSinceReferenceDate
  ) {
    self.source = source
    self.destination = destination
    self.mapping = mapping
    self.metadata = metadata
    self.options = options
    self.policies = policies
    self.now = now
  }

  /// Plans the migration of one store.
  ///
  /// - Parameters:
  ///   - snapshot: what the store holds, its rows counted where the costs of the steps are to be known.
  ///   - path: the names of the versions on the way, source first.
  /// - Returns: the plan.
  /// - Throws: ``MigrationRefusal``.
  public func plan(for snapshot: StoreSnapshot, path: [String]) throws(MigrationRefusal) -> MigrationPlan {
    var resolved: [String: ResolvedPolicy] = [:]
    for entity in mapping.entityMappings {
      resolved[entity.name] = try ResolvedPolicy.policy(of: entity, in: mapping, options, policies)
    }
    let draft = try MappedContext(
      source: source, destination: destination, mapping: mapping, snapshot: snapshot, options: options,
      policies: resolved, now: now)
    try draft.surroundings.refuseUnknownReferences(rowsChange: draft.movesRows)
    try StandInChecks.check(draft)
    try SnippetChecks.check(draft)
    let kept = try KeptTable.tables(in: draft)
    let context = try MappedContext(
      source: source, destination: destination, mapping: mapping, snapshot: snapshot, options: options,
      policies: resolved, now: now, keeping: Set(kept.map(\.source.name)))
    let transfers = context.transfers().filter { transfer in
      !kept.contains { $0.destination.name == transfer.destination.name }
    }
    let tables = TablePlanning(copying: transfers, to: destination, keeping: kept.map(\.renaming))
    try context.surroundings.refuseTakenNames(tables)
    let indexes = IndexSteps(for: tables, in: context.surroundings)
    let derived = DerivedSteps(for: transfers, in: context.surroundings)
    let staging = StagingSteps(context, transfers: transfers, keeping: kept)
    let gathering = try LinkGathering(context)
    let links = LinkPlanning(gathering, in: context)
    let creation = try CreateSteps(context, transfers: transfers, links: links, keeping: kept)
    var computing: [PlanStep] = []
    for table in kept { computing += try table.computing(links, in: context) }
    let making =
      indexes.clearing + staging.opening + (try AssociationSteps(context).steps) + links.tables + creation.steps
      + context.passes(.relate) + links.steps + context.passes(.linked) + context.passes(.validate)
      + computing
      + staging.closing + kept.flatMap(\.steps) + indexes.makingPlain
      + links.copied.map { copied in
        let rows = context.entities(filling: copied.table).reduce(0) { $0 + context.rowCount(of: $1) }
        return copied.clearing(rows: rows, keeping: kept)
      }
    let steps =
      making + indexes.makingUnique + derived.steps
      + FinishingSteps(context.surroundings, metadata: metadata, feeding: context.feedingRoots).steps
    var plan = MigrationPlan(
      path: path, strategy: options.strategy ?? .clone,
      strategyReason: options.strategy == nil ? "a mapping model makes every row anew" : "as asked",
      checks: context.surroundings.strayRowChecks() + (try MappedChecks(context).checks),
      losses: try MappedLosses(context, gathering).losses, steps: steps,
      validations: links.checks + MappedValidations(context).checks, validationPosition: making.count,
      expectedRows: context.expectedRows(),
      notes: staging.notes + indexes.notes + derived.notes + gathering.notes + context.notes
        + context.destination.newWarnings(since: context.source),
      scope: links.copied.reduce(into: steps.scope(renaming: tables.keptTables)) { scope, copied in
        scope?.excuse(copied.column, of: copied.table.name)
      })
    if context.hasCode {
      plan.policies = PlannedPolicies(
        work: try PolicyWork(context, resolved, creation, gathering.functions, links.gathered))
    }
    return plan
  }
}

extension MappedContext {
  /// The rows of every destination entity afterwards, for those of which that is known before.
  func expectedRows() -> [String: Int] {
    guard !snapshot.rowCounts.isEmpty else { return [:] }
    var expected: [String: Int] = [:]
    for name in destination.layout.entityNumbers.map(\.name) {
      let makers = entities.filter { $0.destination == name }
      guard makers.allSatisfy({ $0.mapping.filter == nil }), !hasCode else { continue }
      expected[name] = makers.reduce(0) { $0 + rowCount(of: $1) }
    }
    return expected
  }

  /// The passes of the policies in code, in the order of their mappings.
  func passes(_ stage: PolicyPass.Stage) -> [PlanStep] {
    entities.compactMap { entity in entity.pass(stage).map { PlanStep($0, rows: rowCount(of: entity)) } }
  }
}
