public import MappingModels
import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores
public import StoreMigration
import StoreRows
import VersionHashing

extension StoreMirror {
  /// Migrates the SQLite store that stands for the file by the one engine, then puts what came of it into the file.
  ///
  /// The old file is kept under another name, unless the request declines a backup.
  ///
  /// - Parameters:
  ///   - isInterrupted: asked often; true stops the work and leaves the file as it was.
  ///   - report: called with how far the work is.
  /// - Throws: as `StoreMigrator.migrate(isInterrupted:report:)`, ``plan(_:)`` and ``update(model:backup:)``; the file
  ///   is as it was then.
  public func migrate(
    _ request: MigrationRequest, isInterrupted: (@Sendable () -> Bool)? = nil,
    report: @escaping (MigrationProgress) -> Void = { _ in }
  ) throws -> MigrationOutcome {
    let lost = try unmirrored.untyped.isEmpty ? [] : consentedLosses(by: plannedInside(request).prepared, request)
    var inside = request
    (inside.path, inside.keepsBackup) = (store, false)
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
    forgetUntyped(lost)
    try update(model: version.hierarchy, backup: outcome.backup)
    return outcome
  }

  /// The hashes of the SQLite store, which are a configuration's where the file's are.
  private func storedHashes() throws -> VersionHashes {
    let migrated = try reader()
    defer { migrated.close() }
    return try migrated.metadata().versionHashes
  }

  /// Works out what a migration of the file would do.
  ///
  /// - Returns: the plan of the SQLite store that stands for it, and what is in its way.
  public func plan(_ request: MigrationRequest) throws -> (prepared: PreparedMigration, blocked: MigrationBlocked) {
    let planned = try plannedInside(request)
    _ = try consentedLosses(by: planned.prepared, request)
    return planned
  }

  /// Finds what a migration of the file loses that the SQLite store does not show: values of attributes without a type.
  ///
  /// - Returns: the losses by name, those that the request does not consent to among them.
  public func unseenLosses(by request: MigrationRequest) throws -> [DataLoss] {
    guard !unmirrored.untyped.isEmpty else { return [] }
    let prepared = try plannedInside(request).prepared
    let names = untypedLosses(by: prepared, request).map(\.name)
    return names.sorted().map {
      DataLoss(element: $0, kind: .attributeRemoved, cause: prepared.isMapped ? .unread : .models)
    }
  }

  private func plannedInside(
    _ request: MigrationRequest
  ) throws -> (prepared: PreparedMigration, blocked: MigrationBlocked) {
    var inside = request
    inside.path = store
    return try naming { try StoreMigrator(inside).plan() }
  }

  /// The attributes whose values without a type, which no statement sees, a migration loses with consent.
  private func consentedLosses(
    by prepared: PreparedMigration, _ request: MigrationRequest
  ) throws(ObjectStoreError) -> Set<UntypedAttribute> {
    let lost = untypedLosses(by: prepared, request)
    let refused = lost.filter { attribute in
      let lineage = version?.hierarchy.lineage(of: attribute.entity) ?? []
      return !lineage.contains { request.options.allowsLoss(of: attribute.name(in: $0.name)) }
    }
    guard let first = refused.min(by: { $0.name < $1.name }) else { return lost }
    throw .untyped(path: path, entity: first.entity, attribute: first.path)
  }

  /// The attributes whose values without a type a migration loses.
  ///
  /// A mapping model may make any object of any other; without one, objects and attributes stay as versions pair them.
  private func untypedLosses(by prepared: PreparedMigration, _ request: MigrationRequest) -> Set<UntypedAttribute> {
    let untyped = unmirrored.untyped
    guard !untyped.isEmpty, let version, !prepared.stages.isEmpty else { return [] }
    let names = prepared.path.dropFirst().dropLast()
    let between = names.compactMap { name in request.versions.first { $0.name == name }?.hierarchy }
    let models = [version.hierarchy] + between + [prepared.destination.hierarchy]
    let pairings = zip(models, models.dropFirst()).map { ModelStep(from: $0, to: $1).pairing }
    let attributes = Set(
      untyped.flatMap { id, values in values.keys.map { UntypedAttribute(entity: id.entity, path: $0) } })
    return attributes.filter { attribute in prepared.isMapped || !pairings.allSatisfy { $0.keeps(attribute) } }
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
  /// True where a written mapping model does a step.
  fileprivate var isMapped: Bool { stages.contains { $0.mappingPath != nil } }
}

extension EntityPairing {
  /// True where the objects of an entity keep their keys, and the attribute its name.
  fileprivate func keeps(_ attribute: UntypedAttribute) -> Bool {
    let (entity, name) = (attribute.entity, attribute.path.first ?? "")
    return self.source(ofDestination: entity) == entity
      && source.rootName(of: entity) == destination.rootName(of: entity)
      && destination.untypedPaths(of: entity).contains(attribute.path)
      && carriedAttributes(ofDestination: entity, from: entity).sourceNames[name] == name
  }
}
