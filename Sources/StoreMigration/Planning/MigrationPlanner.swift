public import Foundation
public import MappingModels
public import MigrationSQL
import ModelDescription
import ModelFiles
public import PersistentStores

/// Creates plans: a pure function of two models, a mapping between them and the content of a store.
public struct MigrationPlanner: Sendable {
  /// The model and tables of the store.
  public var source: StoreModel
  /// The destination model and its tables.
  public var destination: StoreModel
  /// The mapping from the source to the destination, inferred or custom.
  public var mapping: MappingModel
  /// The property list of the destination's metadata, complete.
  public var metadata: [UInt8]
  /// The bytes of a cached model of the destination; nil if no store with one is known.
  public var cachedModel: [UInt8]?
  /// The decisions of the user.
  public var options: MigrationOptions
  /// The policies in code.
  public var policies: PolicyRegistry
  /// The value of `now()`, in seconds since 2001-01-01T00:00:00Z: the same for the complete plan.
  public var now: Double

  /// Creates a planner.
  public init(
    source: StoreModel, destination: StoreModel, mapping: MappingModel, metadata: [UInt8],
    options: MigrationOptions = MigrationOptions(), policies: PolicyRegistry = PolicyRegistry(),
    now: Double = Date().timeIntervalSinceReferenceDate
  ) {
    (self.source, self.destination, self.mapping, self.metadata) = (source, destination, mapping, metadata)
    (self.options, self.policies, self.now) = (options, policies, now)
  }

  /// Plans the migration of a single store.
  ///
  /// - Parameters:
  ///   - snapshot: the content of the store, with counts of rows if the costs of the steps are needed.
  ///   - path: the names of the versions on the path, source first.
  public func plan(for snapshot: StoreSnapshot, path: [String]) throws(MigrationRefusal) -> MigrationPlan {
    let rows = try rowPlan(for: snapshot)
    let context = rows.context
    let indexes = IndexSteps(for: rows.tables, in: context)
    let derived = DerivedSteps(for: rows.transfers, in: context)
    let finishing = FinishingSteps(
      context, metadata: metadata, cachedModel: cachedModel, feeding: rows.feedingRoots)
    // Where objects are made, a unique index comes after the questions: what it would refuse is shown with all the rest.
    let making = PlanPhase(
      steps: indexes.clearing + rows.steps + (rows.makesRows ? indexes.makingPlain : indexes.making) + rows.closing,
      validations: rows.validations)
    let exact = try ExactValueSteps(context)
    let ending = PlanPhase(
      steps: (rows.makesRows ? indexes.makingUnique : []) + derived.steps + exact.steps + finishing.steps)
    let steps = making.steps + ending.steps
    let (strategy, reason) = context.strategy(for: steps, makesRows: rows.makesRows)
    return MigrationPlan(
      path: path, strategy: strategy, strategyReason: reason,
      checks: (rows.makesRows || steps.contains(where: \.touchesObjects) ? context.strayRowChecks() : []) + rows.checks,
      answeredChecks: rows.answeredChecks, losses: rows.losses, phases: [making, ending], policies: rows.policies,
      expectedRows: rows.policies == nil ? expectedRows(context) : [:],
      notes: rows.tableNotes + indexes.notes + derived.notes + rows.notes
        + destination.newWarnings(since: source).map { .layout($0) },
      exactCopies: exact.copies,
      scope: rows.copied.reduce(into: steps.scope(renaming: rows.tables.names)) { scope, copied in
        scope?.excuse(copied.column, of: copied.table.name)
      })
  }

  private func rowPlan(for snapshot: StoreSnapshot) throws(MigrationRefusal) -> RowPlan {
    guard mapping.isInferred else { return try WrittenRows(self, snapshot).plan() }
    return try InferredRows(context: PlanningContext(self, snapshot)).plan()
  }

  /// The rows of every destination entity afterwards; a filter may take fewer, and removing duplicates makes fewer.
  private func expectedRows(_ context: PlanningContext) -> [String: Int] {
    guard !context.snapshot.rowCounts.isEmpty else { return [:] }
    let makers = Dictionary(grouping: mapping.entityMappings) { $0.destination }
    return destination.layout.entityNumbers.reduce(into: [:]) { expected, entity in
      let makers = makers[entity.name] ?? []
      guard makers.allSatisfy({ $0.filter == nil }) else { return }
      expected[entity.name] = makers.compactMap(\.source).reduce(0) { $0 + context.rowCount(ofSourceEntity: $1) }
    }
  }
}

extension MigrationPlanner {
  /// Plans one part of a path for the content of the store at that point.
  static func stage(
    _ part: PathPart, of metadata: StoreMetadata, _ request: MigrationRequest, names: SelfJoinNames,
    for snapshot: StoreSnapshot
  ) throws -> MigrationStage {
    let layout = SQLStoreLayout(of: part.destination.hierarchy, names: names)
    let bound = BoundLayout(of: part.source.hierarchy, to: snapshot)
    guard bound.missing.isEmpty else { throw MigrationRefusal.schemaDiffers(bound.missing) }
    let source = StoreModel(hierarchy: part.source.hierarchy, layout: bound.layout)
    let misnumbered = MisnumberedRows(source, in: snapshot)
    let newMetadata = metadata.rewritten(
      for: part.destination.versionHashes, identifiers: part.destination.hierarchy.model.versionIdentifiers)
    var planner = MigrationPlanner(
      source: source, destination: StoreModel(hierarchy: part.destination.hierarchy, layout: layout),
      mapping: part.mapping, metadata: Array(newMetadata.encoded()), options: request.options,
      policies: request.policies, now: request.now)
    planner.cachedModel = part.destination.file.cachedContent.map(Array.init)
    var plan: MigrationPlan
    do throws(MigrationRefusal) {
      plan = try planner.plan(for: misnumbered.numbered(snapshot), path: part.versions.map(\.name))
    } catch {
      guard case .mapping(let name, let refusal, nil) = error else { throw error }
      throw MigrationRefusal.mapping(name: name, refusal, path: part.mappingPath)
    }
    plan.mappingPath = part.mappingPath
    misnumbered.number(in: &plan)
    return MigrationStage(part: part, plan: plan, layout: layout)
  }
}
