import Foundation
package import GRDB
import MappingModels
import MigrationSQL
import ModelFiles
package import PersistentStores

/// Prepares the migration of a single store in two steps: who it is and its path, then what it holds and the plan.
struct MigrationPreparation {
  let request: MigrationRequest
  let database: Database

  /// Identifies the store, which nobody else writes to any more, and finds its path: what it was before the lock may
  /// have changed.
  ///
  /// - Throws: ``MigrationError``, `StoreError`, `DatabaseError`, and `InferenceRefusal`, ``MigrationRefusal`` or
  ///   ``MigrationBlocked`` where no path is.
  func identify() throws -> IdentifiedStore {
    var store = try version()
    store.path = try path(of: store)
    store.touchesRows = try touchesRows(store)
    return store
  }

  /// Counts the rows, where the plan or the request needs them, and plans the stages on the path against them.
  func plan(_ store: IdentifiedStore, beside reader: DatabaseQueue? = nil) throws -> PreparedMigration {
    let snapshot = try counted(store, beside: reader)
    var stages: [MigrationStage] = []
    if let path = store.path {
      for (position, stage) in try self.stages(of: store, along: path, for: snapshot).enumerated() {
        // How much a store loses is its own matter, and asked of its rows.
        let implied = position == 0 ? try stage.stage.plan.impliedLosses(in: database) : []
        stages.append(stage.stage(adding: implied))
      }
    }
    let isOneInPlace = stages.count == 1 && stages[0].plan.strategy == .inPlace
    var prepared = PreparedMigration(
      uuid: store.metadata.uuid, source: store.source, destination: store.destination, stages: stages,
      detour: store.path?.detour, snapshot: snapshot,
      strategy: stages.isEmpty ? nil : request.options.strategy ?? (isOneInPlace ? .inPlace : .clone))
    if !stages.isEmpty {
      prepared.missingFolder = try MissingSupportFolder.find(
        beside: request.path, of: store.source.hierarchy, in: database)
    }
    return prepared
  }

  /// Plans the stages on the path without looking at rows.
  ///
  /// - Returns: the path; nil if the store has the version to reach.
  /// - Throws: as ``identify()`` and ``plan(_:beside:)``, but for what rows stand in the way of.
  func outlook() throws -> MigrationPath? {
    let store = try version()
    guard !store.isCurrent else { return nil }
    let path = try request.pathFinder.migrationPath(from: store.source, to: store.destination, among: store.versions)
    _ = try stages(of: store, along: path, for: store.snapshot)
    return path
  }

  /// The store and its version; the model that a store keeps of itself is unpacked only where it can matter.
  private func version() throws -> IdentifiedStore {
    let metadata = try StoreMetadata(reading: database, path: request.path)
    let isKnown = request.versions.contains { $0.versionHashes == metadata.versionHashes }
    let identification = StoreIdentification(
      of: metadata, cachedModel: isKnown ? .absent : try CachedModel(reading: database), among: request.versions)
    guard let found = SourceVersion(identification, among: request.versions, to: request.destination) else {
      throw MigrationError(identification, path: request.path, to: request.destination)
    }
    return IdentifiedStore(
      metadata: metadata, source: found.version, destination: found.destination, versions: found.versions,
      snapshot: try StoreSnapshot(reading: database, counting: false),
      isOfCoreData: try metadata.hasNamesOfCoreData(reading: database))
  }

  /// The path to the destination; if no mapping can be inferred, the error also has the rows that block the migration.
  private func path(of store: IdentifiedStore) throws -> MigrationPath? {
    guard !store.isCurrent else { return nil }
    do {
      let migrationPath = try request.pathFinder.migrationPath(
        from: store.source, to: store.destination, among: store.versions)
      try ReplacementChecks.check(migrationPath.parts, request.options)
      return migrationPath
    } catch let failure as InferenceRefusal {
      let step = InferenceBlockers(
        source: store.source, destination: store.destination, request: request, metadata: store.metadata)
      throw try step.error(for: failure, store.snapshot, names: store.names(request.references), in: database)
    }
  }

  /// True if the first stage on the path reads or writes rows.
  ///
  /// The stage is planned for the answer without numbers of rows, once for all stores of one shape. The only stage is
  /// planned as it will be run when it touches none.
  private func touchesRows(_ store: IdentifiedStore) throws -> Bool {
    guard let path = store.path, let part = path.parts.first else { return false }
    let shape = StoreShape(of: store, uncounted(store.snapshot), along: path, request)
    return try request.pathFinder.plans.touchesRows(shape) {
      let stage =
        path.parts.count == 1
        ? try stages(of: store, along: path, for: store.snapshot).first?.stage
        : try stage(of: store, part, for: store.snapshot)
      return stage?.plan.touchesRows ?? false
    }
  }

  private func counted(_ store: IdentifiedStore, beside reader: DatabaseQueue?) throws -> StoreSnapshot {
    var snapshot = store.snapshot
    if store.touchesRows || request.countsRows {
      try snapshot.count(in: database, beside: reader) { _ in .rowsByEntity }
    }
    return snapshot
  }

  /// The stages, planned once for all stores of a shape.
  ///
  /// A later stage is planned against the schema that the stages before it leave, tried out on a copy of the schema
  /// without rows.
  private func stages(
    of store: IdentifiedStore, along path: MigrationPath, for snapshot: StoreSnapshot
  ) throws -> [PlannedStage] {
    let shape = StoreShape(of: store, snapshot, along: path, request)
    return try request.pathFinder.plans.stages(shape) { try plannedStages(store, along: path, for: snapshot) }
  }

  private func plannedStages(
    _ store: IdentifiedStore, along path: MigrationPath, for snapshot: StoreSnapshot
  ) throws -> [PlannedStage] {
    var stages: [PlannedStage] = []
    var rehearsal: SchemaRehearsal?
    for part in path.parts {
      let here = try rehearsal?.snapshot() ?? snapshot
      var stage = PlannedStage(stage: try self.stage(of: store, part, for: here))
      let isLast = stages.count + 1 == path.parts.count
      if !isLast || !here.views.isEmpty {
        do {
          let trial = try rehearsal ?? SchemaRehearsal(of: database, store: request.path)
          let views = try trial.snapshot().views
          try trial.run(stage.stage.plan)
          stage.viewNotes = try trial.snapshot().views.compactMap { PlanNote($0, since: views) }
          rehearsal = trial
        } catch {
          guard isLast else { throw error }
          stage.viewNotes = [.viewsUntried(CaughtError(error))]
        }
      }
      stages.append(stage)
    }
    return stages
  }

  private func stage(
    of store: IdentifiedStore, _ part: PathPart, for snapshot: StoreSnapshot
  ) throws -> MigrationStage {
    try MigrationPlanner.stage(
      part, of: store.metadata, request, names: store.names(request.references), for: snapshot)
  }

  /// Whether steps touch rows does not depend on how high the keys are that were given out.
  private func uncounted(_ snapshot: StoreSnapshot) -> StoreSnapshot {
    var snapshot = snapshot
    for position in snapshot.tables.indices where snapshot.tables[position].highestPrimaryKey != nil {
      snapshot.tables[position].highestPrimaryKey = 1
    }
    for position in snapshot.entityRows.indices { snapshot.entityRows[position].maximumPrimaryKey = 1 }
    return snapshot
  }
}

/// A stage as it is planned for every store of a shape.
struct PlannedStage: Sendable {
  let stage: MigrationStage
  /// The effects on views that the app created.
  var viewNotes: [PlanNote] = []

  /// The stage of a single store, with what the store itself adds to the plan's notes.
  func stage(adding notes: [PlanNote]) -> MigrationStage {
    var stage = stage
    stage.plan.notes += notes + viewNotes
    return stage
  }
}

/// A store's schema without its rows, in memory, on which a stage is tried so that the next can be planned.
package final class SchemaRehearsal {
  private let queue: DatabaseQueue

  /// Copies the tables, indexes, triggers and views of a store, and the rows that number entities and hold metadata.
  package init(of database: Database, store: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(configuration: configuration)
    let snapshot = try StoreSnapshot(reading: database, counting: false)
    let others = try String.fetchAll(
      database,
      sql: "SELECT sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL ORDER BY type = 'trigger', rowid")
    let virtual = try String.fetchAll(
      database, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND sql LIKE 'create virtual%' ORDER BY rowid")
    let kept = try ["Z_PRIMARYKEY", "Z_METADATA"].map { table in
      (table, try Row.fetchAll(database, sql: "SELECT * FROM \(SQLIdentifier(table))"))
    }
    try queue.writeWithoutTransaction { copy in
      try StoreWriter.prepareSession(copy)
      ConversionFunctions(store: store).register(in: copy)
      PlanExecution.prepare(copy)
      for table in snapshot.tables where !table.name.hasPrefix("sqlite_") { try copy.execute(sql: table.sql) }
      // A virtual table whose module is not here, and what the app made over it, no plan can read either.
      for sql in virtual + others { try? copy.execute(sql: sql) }
      for (table, rows) in kept {
        for row in rows {
          let marks = row.map { _ in "?" }.joined(separator: ", ")
          try copy.execute(
            sql: "INSERT INTO \(SQLIdentifier(table)) VALUES (\(marks))",
            arguments: StatementArguments(row.map(\.1)))
        }
      }
    }
  }

  /// Runs a plan's statements over no rows; policies have nothing to do there.
  package func run(_ plan: MigrationPlan) throws {
    var plan = plan
    plan.policies = nil
    try queue.writeWithoutTransaction { [plan] copy in
      try PlanExecution(plan: plan) { _ in }.run(in: copy)
    }
  }

  package func snapshot() throws -> StoreSnapshot {
    var snapshot = try queue.writeWithoutTransaction { try StoreSnapshot(reading: $0, counting: false) }
    snapshot.isOfSchemaOnly = true
    return snapshot
  }
}
