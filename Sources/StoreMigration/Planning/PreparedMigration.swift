import GRDB
import MappingModels
public import PersistentStores

/// A store's way to a version, planned against what the store holds.
public struct PreparedMigration: Sendable {
  /// The store's identity.
  public let uuid: String
  /// The store's version.
  public let source: KnownVersion
  /// The version to reach.
  public let destination: KnownVersion
  /// The parts of the migration in their order; none when the store has the version already.
  public let stages: [MigrationStage]
  /// What a reader should know about the way.
  public let note: String?
  /// What the store holds.
  public let snapshot: StoreSnapshot
  /// How the whole is run, nil when there is nothing to run.
  public let strategy: MigrationStrategy?
  /// False when what is asked of the objects that a mapping model makes could not be tried out.
  var isFullyAsked = true

  /// Reads a store and plans its migration.
  ///
  /// Rows are counted only when the plan touches some, or when the request asks for it. A later stage is planned
  /// against the schema that the stages before it leave, tried out on a copy of the schema without rows.
  ///
  /// - Parameters:
  ///   - request: what is to become of the store.
  ///   - database: a connection to it.
  ///   - otherConnection: asked, where the rows of a store of so many bytes are counted for one stage, for another
  ///     connection to count on.
  /// - Throws: ``MigrationError``, ``MigrationRefusal``, `InferenceFailure`, `StoreError`.
  init(
    _ request: MigrationRequest, reading database: Database,
    otherConnection: (_ byteCount: Int64) -> DatabaseQueue? = { _ in nil }
  ) throws {
    let metadata = try StoreMetadata(reading: database, path: request.path)
    // The model that a store keeps of itself is unpacked only where it can matter.
    let isKnown = request.versions.contains { $0.versionHashes == metadata.versionHashes }
    let identification = StoreIdentification(
      of: metadata, cachedModel: isKnown ? .absent : try CachedModel(reading: database), among: request.versions)
    guard let found = SourceVersion(identification, among: request.versions, to: request.destination) else {
      throw MigrationError.unknownVersion(path: request.path)
    }
    uuid = metadata.uuid
    source = found.version
    destination = found.destination
    guard source.versionHashes != destination.versionHashes else {
      snapshot = try StoreSnapshot(reading: database, counting: request.countsRows)
      (stages, note, strategy) = ([], nil, nil)
      return
    }
    var snapshot = try StoreSnapshot(reading: database, counting: false)
    let names = SelfJoinNames(
      of: snapshot, hierarchy: source.hierarchy, frameworkVersion: metadata.frameworkVersion,
      isOfCoreData: try metadata.hasNamesOfCoreData(reading: database), references: request.references)
    let route: MigrationRoute
    do {
      route = try request.routes.route(from: source, to: destination, among: found.versions)
    } catch let failure as InferenceFailure {
      let step = InferenceObstacles(source: source, destination: destination, request: request, metadata: metadata)
      throw try step.error(for: failure, snapshot, names: names, in: database)
    }
    var stages: [MigrationStage] = []
    var rehearsal: SchemaRehearsal?
    for hop in route.hops {
      let planner = StagePlanner(hop: hop, metadata: metadata, request: request, names: names)
      let here = try rehearsal?.snapshot() ?? snapshot
      var stage = try planner.stage(for: here)
      if stages.isEmpty, stage.plan.touchesRows || request.countsRows {
        let other = stage.plan.touchesRows && route.hops.count == 1 ? otherConnection(snapshot.byteCount) : nil
        snapshot = try StoreSnapshot(reading: database, beside: other) { _ in .rowsByEntity }
        stage = try planner.stage(for: snapshot)
      }
      if stages.isEmpty { stage.plan.notes += try stage.plan.impliedLosses(in: database) }
      let isLast = stages.count + 1 == route.hops.count
      if !isLast || !here.views.isEmpty {
        do {
          let trial = try rehearsal ?? SchemaRehearsal(of: database, store: request.path)
          let former = try trial.snapshot().views
          try trial.run(stage.plan)
          stage.plan.notes += try trial.snapshot().views.flatMap { $0.notes(since: former) }
          rehearsal = trial
        } catch {
          guard isLast else { throw error }
          stage.plan.notes.append("what becomes of the views that the app made itself could not be tried: \(error)")
        }
      }
      stages.append(stage)
    }
    self.snapshot = snapshot
    self.stages = stages
    note = route.note
    let isOneInPlace = stages.count == 1 && stages[0].plan.strategy == .inPlace
    strategy = request.options.strategy ?? (isOneInPlace ? .inPlace : .clone)
  }
}

extension PreparedMigration {
  /// Why the strategy was chosen, in one sentence.
  public var strategyReason: String? {
    guard let first = stages.first else { return nil }
    return stages.count > 1 && first.plan.strategy != strategy
      ? "there are \(stages.count) stages, and each is checked before the next" : first.plan.strategyReason
  }

  /// The versions on the way, source first.
  public var path: [String] { [source.name] + stages.flatMap { $0.plan.path.dropFirst() } }

  /// The parts of the way with the mapping models that make them.
  public var hops: [MigrationOutcome.Hop] {
    stages.map { MigrationOutcome.Hop(versions: $0.plan.path, mappingPath: $0.mappingPath) }
  }

  /// What a reader should know and the steps do not tell.
  public var notes: [String] {
    stages.flatMap(\.plan.notes) + (note.map { [$0] } ?? [])
      + (isFullyAsked
        ? [] : ["what the new objects must meet is asked when they are there; migrate --dry-run asks it too"])
  }

  /// The join tables with both ends on one entity that the store gets, and what their names rest on.
  public var selfJoins: [SelfJoin] { stages.last?.layout.selfJoins ?? [] }

  /// The number of statements in all stages.
  public var stepCount: Int { stages.reduce(0) { $0 + $1.plan.steps.count } }

  /// True when a step reads or writes rows.
  public var touchesRows: Bool { stages.contains { $0.plan.touchesRows } }
}
