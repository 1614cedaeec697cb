import PersistentStores
public import StoreMigration
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
  /// - Throws: as `StoreMigrator.migrate(isInterrupted:report:)` and ``update(model:backup:)``; the file is as it was then.
  public func migrate(
    _ request: MigrationRequest, isInterrupted: (@Sendable () -> Bool)? = nil,
    report: @escaping (MigrationProgress) -> Void = { _ in }
  ) throws -> MigrationOutcome {
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
  /// - Throws: as `StoreMigrator.plan()`.
  public func plan(_ request: MigrationRequest) throws -> (prepared: PreparedMigration, blocked: MigrationBlocked) {
    var inside = request
    inside.path = store
    return try naming { try StoreMigrator(inside).plan() }
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
