import ModelDescription
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
  ///   - request: what is to become of the file.
  ///   - isInterrupted: asked often; true stops the work and leaves the file as it was.
  ///   - report: called with how far the work is.
  /// - Returns: what was done, of the file.
  /// - Throws: as `StoreMigrator.migrate(isInterrupted:report:)`, ``plan(_:)`` and ``update(model:backup:)``; the file is as it
  ///   was then.
  public func migrate(
    _ request: MigrationRequest, isInterrupted: (@Sendable () -> Bool)? = nil,
    report: @escaping (MigrationProgress) -> Void = { _ in }
  ) throws -> MigrationOutcome {
    if !unmirrored.untyped.isEmpty { _ = try plan(request) }
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
  /// - Parameter request: what is to become of the file.
  /// - Returns: the plan of the SQLite store that stands for it, and what is in its way.
  /// - Throws: as `StoreMigrator.plan()`, and ``ObjectStoreError/untyped(path:entity:attribute:)``.
  public func plan(_ request: MigrationRequest) throws -> (prepared: PreparedMigration, blocked: MigrationBlocked) {
    var inside = request
    inside.path = store
    let planned = try naming { try StoreMigrator(inside).plan() }
    try checkUntyped(planned.prepared, request)
    return planned
  }

  /// Checks that values without a type, which no statement sees, belong to the same objects and attributes afterwards.
  ///
  /// A mapping model may make any object of any other, and so may a change of names.
  private func checkUntyped(_ prepared: PreparedMigration, _ request: MigrationRequest) throws(ObjectStoreError) {
    let untyped = unmirrored.untyped
    guard !untyped.isEmpty, let version, !prepared.stages.isEmpty else { return }
    let path = prepared.path
    let models =
      request.versions.filter { path.contains($0.name) }.map(\.hierarchy) + prepared.stages.map(\.destination.hierarchy)
    let isMapped = prepared.stages.contains { $0.mappingPath != nil }
    let attributes = Set(untyped.flatMap { id, values in values.keys.map { UntypedAttribute(id.entity, $0) } })
    let lost = attributes.filter { attribute in
      isMapped || !models.allSatisfy { $0.keeps(attribute, of: version.hierarchy) }
    }
    guard let first = lost.min(by: { $0.sortKey < $1.sortKey }) else { return }
    throw .untyped(path: self.path, entity: first.entity, attribute: first.path)
  }

  /// Does something with the SQLite store; errors name the file.
  private func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as StoreError {
      throw error.naming(path)
    } catch let error as MigrationError {
      throw error.naming(path)
    }
  }
}

/// An attribute of an entity's objects that has no type, or such an element of a composite one.
private struct UntypedAttribute: Hashable {
  let entity: String
  let path: [String]
  /// The name of the attribute as a whole.
  var name: String { path.first ?? "" }
  var sortKey: String { "\(entity).\(path.joined(separator: "."))" }

  init(_ entity: String, _ path: [String]) { (self.entity, self.path) = (entity, path) }
}

extension EntityHierarchy {
  /// True where the objects of another model's entity keep their keys, and the attribute its name.
  fileprivate func keeps(_ attribute: UntypedAttribute, of other: EntityHierarchy) -> Bool {
    let entity = attribute.entity
    guard let own = self.entity(named: entity), own.canonicalName == other.entity(named: entity)?.canonicalName,
      rootName(of: entity) == other.rootName(of: entity), untypedPaths(of: entity).contains(attribute.path)
    else { return false }
    let names = [self, other].map { $0.allAttributes(of: entity)[attribute.name]?.property.canonicalName }
    return names[0] == names[1]
  }
}
