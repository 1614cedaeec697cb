import Foundation
import GRDB
import PersistentStores

/// Plans and runs the migration of one store: the only place that writes to it.
public struct StoreMigrator: Sendable {
  /// What is to become of the store.
  public let request: MigrationRequest

  /// Makes a migrator.
  public init(_ request: MigrationRequest) {
    self.request = request
  }

  /// Plans the migration and asks the rows, without changing a byte.
  ///
  /// What is asked of the objects that a mapping model makes is tried on a copy in a temporary folder, where the store is
  /// not large.
  ///
  /// - Returns: the plan, and what in the rows stands in its way.
  /// - Throws: `StoreError`, `InferenceFailure`, ``MigrationRefusal``, ``MigrationError``.
  public func plan() throws -> (prepared: PreparedMigration, obstacles: MigrationBlocked) {
    let reader = try StoreReader(path: request.path, busyTimeout: request.busyTimeout)
    defer { reader.close() }
    return try reader.read { database in
      ConversionFunctions(store: request.path).register(in: database)
      var prepared = try PreparedMigration(request, reading: database)
      let known = try obstacles(prepared, in: database)
      let all = try MigrationTrial(request: request, prepared: prepared).obstacles(beside: known, in: database)
      prepared.isFullyAsked = all != nil
      return (prepared, all ?? known)
    }
  }

  /// Migrates the store, or leaves it as it was.
  ///
  /// - Parameters:
  ///   - isInterrupted: asked often; true stops the work and leaves the store as it was.
  ///   - report: told how far the work is.
  /// - Returns: what was done.
  /// - Throws: as ``plan()``, and ``MigrationBlocked`` when rows stand in the way.
  public func migrate(
    isInterrupted: (@Sendable () -> Bool)? = nil, report: @escaping (MigrationProgress) -> Void = { _ in }
  ) throws -> MigrationOutcome {
    let writer = try StoreWriter(
      path: request.path, busyTimeout: request.busyTimeout, interruption: isInterrupted)
    defer { writer.discard() }
    var watch = MigrationStopwatch()
    report(MigrationProgress(phase: .checking, fraction: 0))
    var original: OriginalReading?
    defer { original?.end() }
    let prepared = try writer.access { database in
      ConversionFunctions(store: request.path).register(in: database)
      let prepared = try PreparedMigration(request, reading: database) { byteCount in
        if byteCount >= OriginalReading.worthwhileSize { original = OriginalReading(of: writer) }
        return original?.reader
      }
      // Policies in code may rely on what is asked.
      if let original, prepared.strategy == .clone, let first = prepared.stages.first, first.plan.policies == nil {
        original.checkPages()
        original.ask(
          PlanInspection(plan: first.plan, options: request.options), ConversionFunctions(store: request.path))
      } else {
        let obstacles = try obstacles(prepared, in: database)
        guard obstacles.isEmpty else {
          let trial = MigrationTrial(request: request, prepared: prepared)
          throw try trial.obstacles(beside: obstacles, in: database) ?? obstacles
        }
      }
      return prepared
    }
    let run = MigrationRun(
      request: request, prepared: prepared, isInterrupted: isInterrupted, report: report)
    run.removeLeftovers()
    guard let strategy = prepared.strategy else { return outcome(prepared, rows: nil, backup: nil, .alreadyCurrent) }
    let isInPlace = strategy == .inPlace && !request.isRehearsal
    try original.tellingObstacles(path: request.path) { try MigrationForecast.checkSpace(for: prepared, request) }
    let forecast = watch.pausing { request.countsRows ? MigrationForecast.measured(prepared, for: request) : nil }
    let (rows, backup) = try isInPlace ? run.inPlace(writer) : run.clone(writer, original)
    report(MigrationProgress(phase: isInPlace || request.isRehearsal ? .verifying : .swapping, fraction: 1))
    var outcome = outcome(prepared, rows: rows, backup: backup, request.isRehearsal ? .rehearsed : .migrated)
    (outcome.work, outcome.forecast, outcome.figures) = (prepared.work, forecast, watch.figures)
    outcome.hops = prepared.hops
    outcome.selfJoins = prepared.selfJoins
    if request.countsRows || prepared.stages.first?.plan.touchesRows == true {
      outcome.formerRows = prepared.formerRowCounts
    }
    return outcome
  }

  /// What stands in the way of the first stage; the others are asked when the rows are there that they work on.
  private func obstacles(_ prepared: PreparedMigration, in database: Database) throws -> MigrationBlocked {
    guard let first = prepared.stages.first else { return MigrationBlocked(blockers: [], losses: []) }
    return try PlanInspection(plan: first.plan, options: request.options).obstacles(in: database)
  }

  private func outcome(
    _ prepared: PreparedMigration, rows: [String: Int]?, backup: String?, _ result: MigrationOutcome.Result
  ) -> MigrationOutcome {
    var absence: MigrationOutcome.BackupAbsence?
    if backup == nil {
      absence = result != .migrated ? .unchanged : request.keepsBackup == false ? .declined : .nothingLost
    }
    return MigrationOutcome(
      path: request.path, uuid: prepared.uuid, from: prepared.source.name, to: prepared.destination.name,
      strategy: prepared.strategy, stepCount: prepared.stepCount,
      rows: rows ?? (request.countsRows ? prepared.rowCounts(in: prepared.snapshot) : nil), backup: backup,
      backupAbsence: absence, result: result, notes: prepared.notes)
  }
}
