public import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
public import StoreMigration
import StoreRows
import VersionHashing

extension StoreMirror {
  /// Migrates the SQLite copy of the file, and then writes the result to the file.
  ///
  /// The old file is kept under another name, unless the request declines a backup.
  ///
  /// - Parameters:
  ///   - isInterrupted: called often; return true to stop and leave the file unchanged.
  ///   - report: called with the progress.
  /// - Throws: the errors of `StoreMigrator.migrate(isInterrupted:report:)`, ``plan(_:)`` and
  ///   ``update(model:backup:)``; the file is then unchanged.
  public func migrate(
    _ request: MigrationRequest, isInterrupted: (@Sendable () -> Bool)? = nil,
    report: @escaping (MigrationProgress) -> Void = { _ in }
  ) throws -> MigrationOutcome {
    let exact = try exactAttributes()
    if exact.values.contains(true) { try checkConsent(to: plannedInside(request, exact).prepared, request, exact) }
    var inside = inside(request, exact)
    inside.keepsBackup = false
    let migrator = StoreMigrator(inside)
    var outcome = try naming { try migrator.migrate(isInterrupted: isInterrupted, report: report) }
    outcome.path = path
    // A small store is migrated before anybody asks.
    if isInterrupted?() == true { throw StoreError.interrupted(path: path) }
    guard outcome.result == .migrated else { return outcome }
    if request.keepsBackup != false {
      outcome.backup = backupName(of: outcome.from)
      outcome.backupAbsence = nil
    }
    let version = try request.destination.restricted(to: storedHashes()) ?? request.destination
    try update(model: version.hierarchy, backup: outcome.backup)
    return outcome
  }

  /// The hashes of the SQLite store; those of a configuration if the file has these.
  private func storedHashes() throws -> VersionHashes {
    let migrated = try reader()
    defer { migrated.close() }
    return try migrated.metadata().versionHashes
  }

  /// Plans a migration of the file.
  ///
  /// - Returns: the plan of its SQLite copy, with the blockers.
  public func plan(_ request: MigrationRequest) throws -> (prepared: PreparedMigration, blocked: MigrationBlocked) {
    let exact = try exactAttributes()
    let planned = try plannedInside(request, exact)
    try checkConsent(to: planned.prepared, request, exact)
    return planned
  }

  /// Finds the losses of a migration that the SQLite copy does not show: values of attributes without a type.
  ///
  /// - Returns: the losses by name, including those that the request does not allow.
  public func unseenLosses(by request: MigrationRequest) throws -> [DataLoss] {
    let exact = try exactAttributes()
    guard exact.values.contains(true) else { return [] }
    let prepared = try plannedInside(request, exact).prepared
    let isMapped = prepared.stages.contains { $0.mappingPath != nil }
    return prepared.untypedLosses(of: exact).map {
      DataLoss(element: $0.description, kind: .attributeRemoved, cause: isMapped ? .unread : .models)
    }
  }

  /// The attributes with values that the rows cannot store, each with true if it lacks a type.
  private func exactAttributes() throws -> [PropertyAddress: Bool] {
    let reader = try reader()
    defer { reader.close() }
    return try reader.exactAttributes()
  }

  /// A request about the SQLite store.
  private func inside(_ request: MigrationRequest, _ exact: [PropertyAddress: Bool]) -> MigrationRequest {
    var inside = request
    inside.path = store
    inside.options.followsExactValues = !exact.isEmpty
    return inside
  }

  private func plannedInside(
    _ request: MigrationRequest, _ exact: [PropertyAddress: Bool]
  ) throws -> (prepared: PreparedMigration, blocked: MigrationBlocked) {
    let inside = inside(request, exact)
    return try naming { try StoreMigrator(inside).plan() }
  }

  /// Refuses a migration that loses values without a type, which no question about rows sees, without consent.
  private func checkConsent(
    to prepared: PreparedMigration, _ request: MigrationRequest, _ exact: [PropertyAddress: Bool]
  ) throws(ObjectStoreError) {
    let refused = prepared.untypedLosses(of: exact).first { lost in
      let lineage = version?.hierarchy.lineage(of: lost.entity) ?? []
      return !lineage.contains { request.options.allowsLoss(of: "\($0.name).\(lost.property)") }
    }
    guard let refused else { return }
    throw .untyped(
      path: path, entity: refused.entity, attribute: refused.property.split(separator: ".").map(String.init))
  }

  /// Does something with the SQLite store; errors name the file.
  private func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try StoreError.writingTemporaryStore(store, body)
    } catch let error as StoreError {
      throw error.naming(path)
    } catch MigrationError.notEnoughSpace {
      // The room is needed beside the SQLite store.
      throw StoreError.fullTemporaryFolder
    } catch let error as MigrationError {
      throw error.naming(path)
    }
  }
}

extension PreparedMigration {
  /// The attributes without a type whose values are lost in a stage, by name.
  fileprivate func untypedLosses(of exact: [PropertyAddress: Bool]) -> [PropertyAddress] {
    exact.filter(\.value).keys.filter { attribute in
      stages.reduce([attribute]) { places, stage in
        places.flatMap { stage.plan.exactCopies[$0] ?? [] }
      }.isEmpty
    }.sorted { $0.description < $1.description }
  }
}
