import Foundation
import GRDB
import MigrationSQL
import ModelFiles
public import PersistentStores

/// Plans and runs the migration of a single store.
///
/// ```swift
/// let workspace = try Workspace(at: "Models").load()
/// let migrator = StoreMigrator(try workspace.migration(of: "store.sqlite"))
/// let (prepared, blocked) = try migrator.plan()
/// if blocked.isEmpty { print(prepared.stepCount, try migrator.migrate().to) }
/// ```
///
/// ## Topics
///
/// ### Planning and running
/// - ``plan()``
/// - ``outlook(_:)``
/// - ``migrate(isInterrupted:report:)``
///
/// ### The request
/// - ``init(_:)``
/// - ``request``
public struct StoreMigrator: Sendable {
  /// The store and the migration to run.
  public let request: MigrationRequest

  /// Creates a migrator.
  public init(_ request: MigrationRequest) { self.request = request }

  /// Plans the migration and queries the rows for blockers, without changing the store.
  ///
  /// If the store is not large, requirements for objects that a mapping model creates are checked on a copy in a temporary
  /// folder.
  ///
  /// - Throws: `StoreError`, `InferenceRefusal`, ``MigrationRefusal``, ``MigrationError``.
  public func plan() throws -> (prepared: PreparedMigration, blocked: MigrationBlocked) {
    let reader = try StoreReader(path: request.path, busyTimeout: request.busyTimeout)
    defer { reader.close() }
    return try reader.read { database in
      ConversionFunctions(store: request.path).register(in: database)
      let preparation = MigrationPreparation(request: request, database: database)
      let store = try preparation.identify()
      guard store.path != nil else { return try plan(store, SourceMending(), in: database) }
      try IndexCheck.prove(database, path: request.path)
      let mending = SourceMending(links: try DanglingLinks.found(in: database, of: store.source.hierarchy))
      guard let change = mending.change(path: request.path, store.source.hierarchy),
        let copy = TemporaryCopy(of: database, store: request.path)
      else { return try plan(store, mending, in: database) }
      return try copy.access { copied in
        try change(copied)
        return try plan(store, mending, in: copied)
      }
    }
  }

  private func plan(
    _ store: IdentifiedStore, _ mending: SourceMending, in database: Database
  ) throws -> (prepared: PreparedMigration, blocked: MigrationBlocked) {
    var prepared = try MigrationPreparation(request: request, database: database).plan(store)
    prepared.mending = mending
    let known = try blocked(prepared, in: database)
    let all = try MigrationTrial(request: request, prepared: prepared).blocked(beside: known, in: database)
    prepared.isFullyAsked = all != nil
    return (prepared, all ?? known)
  }

  /// Finds the path and plans it without reading rows; after that, only rows can block the migration.
  ///
  /// - Returns: the path; nil if the store already has the destination version.
  /// - Throws: `StoreError`, `InferenceRefusal`, ``MigrationRefusal``, ``MigrationError``.
  public func outlook(_ reader: StoreReader) throws -> MigrationPath? {
    try reader.read { try MigrationPreparation(request: request, database: $0).outlook() }
  }

  /// Migrates the store, or leaves it as it was.
  ///
  /// - Parameters:
  ///   - isInterrupted: called often; returns true to stop the work and leave the store as it was.
  ///   - report: receives the progress.
  /// - Throws: as ``plan()``, and ``MigrationBlocked`` if rows block the migration.
  public func migrate(
    isInterrupted: (@Sendable () -> Bool)? = nil, report: @escaping (MigrationProgress) -> Void = { _ in }
  ) throws -> MigrationOutcome {
    let writer = try StoreWriter(path: request.path, busyTimeout: request.busyTimeout, interruption: isInterrupted)
    defer { writer.discard() }
    var watch = MigrationStopwatch()
    report(MigrationProgress(phase: .checking, fraction: 0))
    let functions = ConversionFunctions(store: request.path)
    let store = try writer.access { database in
      functions.register(in: database)
      return try MigrationPreparation(request: request, database: database).identify()
    }
    let isReadBeside =
      store.touchesRows && store.path?.parts.count == 1 && store.snapshot.byteCount >= OriginalChecks.worthwhileSize
    var original = isReadBeside ? OriginalChecks.open(beside: writer) : nil
    defer { original?.end() }
    // Nothing is asked by an index before it is known that it has the entries of the rows.
    original?.checkPages()
    let mending = try store.path == nil ? SourceMending() : .needed(writer, of: store.source.hierarchy)
    let change = mending.change(path: request.path, store.source.hierarchy)
    if change != nil {
      original?.end()
      original = nil
    }
    let prepared = try writer.access(after: change) { database in
      let preparation = MigrationPreparation(request: request, database: database)
      var prepared = try preparation.plan(store, beside: original?.reader)
      prepared.mending = mending
      // Policies in code may rely on what is asked.
      if let original, prepared.strategy == .clone, let first = prepared.stages.first, first.plan.policies == nil {
        original.ask(PlanInspection(plan: first.plan, options: request.options), functions)
      } else {
        let blocked = try blocked(prepared, in: database)
        guard blocked.isEmpty else {
          let trial = MigrationTrial(request: request, prepared: prepared)
          throw try trial.blocked(beside: blocked, in: database) ?? blocked
        }
      }
      return prepared
    }
    var losses: [Int: [MigrationBlocked.UnconsentedLoss]] = [:]
    let run = MigrationRun(
      request: request, prepared: prepared, functions: functions, isInterrupted: isInterrupted, report: report,
      lose: { losses[$0] = $1 })
    run.removeLeftovers()
    guard let strategy = prepared.strategy else { return outcome(prepared, rows: nil, backup: nil, .alreadyCurrent) }
    let isInPlace = strategy == .inPlace && !request.isRehearsal
    try original.tellingBlockers(path: request.path) { try MigrationForecast.checkSpace(for: prepared, request) }
    let forecast = watch.pausing { request.countsRows ? MigrationForecast.measured(prepared, for: request) : nil }
    let (rows, backup) = try isInPlace ? run.inPlace(writer, original) : run.clone(writer, original)
    report(MigrationProgress(phase: isInPlace || request.isRehearsal ? .verifying : .swapping, fraction: 1))
    var outcome = outcome(prepared, rows: rows, backup: backup, request.isRehearsal ? .rehearsed : .migrated)
    (outcome.work, outcome.forecast, outcome.figures) = (prepared.work, forecast, watch.figures)
    (outcome.parts, outcome.formerNames, outcome.losses) = (
      prepared.parts, prepared.formerNames, losses.sorted { $0.key < $1.key }.flatMap(\.value)
    )
    outcome.selfJoins = prepared.selfJoins
    if request.countsRows || prepared.stages.first?.plan.touchesRows == true {
      outcome.sourceRows = prepared.sourceRowCounts
    }
    return outcome
  }

  /// The blockers of the first stage; later stages are checked when their rows exist.
  private func blocked(_ prepared: PreparedMigration, in database: Database) throws -> MigrationBlocked {
    guard let first = prepared.stages.first else { return MigrationBlocked(blockers: [], losses: []) }
    return try PlanInspection(plan: first.plan, options: request.options).blocked(in: database)
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

/// Measures what a migration takes, without the trials of its forecast.
struct MigrationStopwatch {
  private var start = ContinuousClock.now
  private var written = WrittenBytes.ofThisProcess

  /// The cost so far.
  var figures: MigrationFigures {
    MigrationFigures(
      seconds: (ContinuousClock.now - start).inSeconds,
      bytesWritten: WrittenBytes.ofThisProcess.flatMap { now in written.map { now - $0 } })
  }

  /// Does something that is not measured.
  mutating func pausing<Value>(_ work: () throws -> Value) rethrows -> Value {
    let before = ContinuousClock.now
    let writtenBefore = WrittenBytes.ofThisProcess
    defer {
      start += ContinuousClock.now - before
      if let now = WrittenBytes.ofThisProcess, let writtenBefore { written = written.map { $0 + now - writtenBefore } }
    }
    return try work()
  }
}
