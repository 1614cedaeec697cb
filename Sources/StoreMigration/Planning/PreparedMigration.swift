import GRDB
import ModelDescription
public import PersistentStores

/// A store's way to a version, planned against what the store holds.
public struct PreparedMigration: Sendable {
  /// The store's version.
  public let source: KnownVersion
  /// The version to reach.
  public let destination: KnownVersion
  /// The plan, nil when the store has the version already.
  public let plan: MigrationPlan?
  /// What the store holds.
  public let snapshot: StoreSnapshot
  /// The tables to be made.
  let layout: SQLStoreLayout

  /// Reads a store and plans its migration.
  ///
  /// Rows are counted only when the plan touches some, or when the request asks for it.
  ///
  /// - Throws: ``MigrationError``, ``MigrationRefusal``, `InferenceFailure`, `StoreError`.
  init(_ request: MigrationRequest, reading database: Database) throws {
    let metadata = try StoreMetadata(reading: database, path: request.path)
    let identification = StoreIdentification(
      of: metadata, cachedModel: try CachedModel(reading: database), among: request.versions)
    guard let found = SourceVersion(identification, among: request.versions, to: request.destination) else {
      throw MigrationError.unknownVersion(path: request.path)
    }
    source = found.version
    destination = found.destination
    layout = SQLStoreLayout(of: destination.hierarchy)
    guard source.versionHashes != destination.versionHashes else {
      snapshot = try StoreSnapshot(reading: database, counting: request.countsRows)
      plan = nil
      return
    }
    let route = try request.routes.route(from: source, to: destination, among: found.versions)
    let identifiers = destination.hierarchy.model.versionIdentifiers
    let encoded = metadata.rewritten(for: destination.versionHashes, identifiers: identifiers).encoded()
    var snapshot = try StoreSnapshot(reading: database, counting: false)
    let bound = BoundLayout(of: source.hierarchy, to: snapshot)
    let missing = bound.deviations.filter(\.isMissing)
    guard missing.isEmpty else { throw MigrationRefusal.schemaDiffers(missing) }
    let planner = MigrationPlanner(
      source: StoreModel(hierarchy: source.hierarchy, layout: bound.layout),
      destination: StoreModel(hierarchy: destination.hierarchy, layout: layout), mapping: route.mapping,
      metadata: Array(encoded), options: request.options)
    let names = route.versions.map(\.name)
    var plan = try planner.plan(for: snapshot, path: names)
    if plan.touchesRows || request.countsRows {
      snapshot = try StoreSnapshot(reading: database, counting: true)
      plan = try planner.plan(for: snapshot, path: names)
    }
    if let note = route.note { plan.notes.append(note) }
    self.snapshot = snapshot
    self.plan = plan
  }
}

extension LayoutDifference {
  /// True when the store lacks something that the model needs.
  fileprivate var isMissing: Bool {
    switch self {
    case .missingEntity, .missingTable, .missingColumn: true
    default: false
    }
  }
}
