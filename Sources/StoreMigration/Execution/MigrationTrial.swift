import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelFiles
import PersistentStores

/// Migrates a copy in a temporary folder, to find blockers among objects that only the migration creates.
struct MigrationTrial {
  let request: MigrationRequest
  let prepared: PreparedMigration

  /// True if something is asked of what the mapping makes; code of the app's own is never run for a trial.
  private var isNeeded: Bool {
    let asks = prepared.stages.count > 1 || prepared.stages.contains { !$0.plan.validations.isEmpty }
    return asks && prepared.stages.allSatisfy { $0.plan.policies == nil }
  }

  /// Adds the blockers of new objects to the blockers of existing rows.
  ///
  /// - Parameter known: what was found in the rows; where they are in the way themselves no objects are made.
  /// - Returns: all of it; nil if the store is too large for a trial, or the trial cannot be made, such as for want
  ///   of room in the temporary folder.
  /// - Throws: ``MigrationError/expressionFailed(mapping:work:detail:)`` for an expression that fails in a row.
  func blocked(beside known: MigrationBlocked, in database: Database) throws -> MigrationBlocked? {
    guard isNeeded, known.failures.isEmpty, known.blockers.isEmpty else { return known }
    guard let copy = TemporaryCopy(of: database, store: request.path) else { return nil }
    var trial = request
    trial.path = copy.path
    trial.options.strategy = .inPlace
    trial.options.allowedLosses.formUnion(known.losses.map(\.loss.loss.element))
    (trial.keepsBackup, trial.isRehearsal, trial.looksForLeftovers) = (false, false, false)
    defer { withExtendedLifetime(copy) {} }
    do {
      _ = try StoreMigrator(trial).migrate()
      return known
    } catch let found as MigrationBlocked {
      var all = known
      all.blockers += found.blockers
      all.losses += found.losses
      return all
    } catch let error as MigrationError {
      if case .expressionFailed = error { throw error }
      return nil
    } catch {
      return nil
    }
  }
}

/// A copy of a store in its own temporary folder, which is deleted with it.
struct TemporaryCopy {
  /// The largest store that is copied, in bytes.
  private static let limit: Int64 = 64 << 20

  /// The copy's path.
  let path: String
  private let store: String
  private let folder: TemporaryStoreFolder

  /// Creates a copy.
  ///
  /// - Parameters:
  ///   - database: a connection to the store.
  ///   - store: the store's path.
  /// - Returns: nil if the store is too large, or no copy can be made, such as for want of room in the temporary
  ///   folder.
  init?(of database: Database, store: String) {
    guard let pages = try? Int64.fetchOne(database, sql: "PRAGMA page_count"),
      let size = try? Int64.fetchOne(database, sql: "PRAGMA page_size"), pages <= Self.limit / max(1, size),
      let folder = try? TemporaryStoreFolder()
    else { return nil }
    (self.store, self.folder, path) = (store, folder, folder.path(of: "store.sqlite"))
    do {
      let copy = try DatabaseQueue(path: path)
      try copy.writeWithoutTransaction { try StoreClone.copy(database, to: $0) { _ in } }
      try copy.close()
      try linkFiles()
    } catch {
      return nil
    }
  }

  /// Lets the copy name the store's files of external data, which a migration only reads.
  private func linkFiles() throws {
    let files = ExternalData.folder(ofStore: store)
    guard FileManager.default.fileExists(atPath: files) else { return }
    let link = URL(fileURLWithPath: ExternalData.folder(ofStore: path))
    try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(fileURLWithPath: files))
  }

  /// Asks and changes the copy, whose functions are those of the store.
  ///
  /// - Throws: `StoreError` for SQLite's errors, and what the body throws.
  func access<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try StoreError.translating(path: store) {
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      configuration.allowsUnsafeTransactions = true
      configuration.prepareDatabase { database in
        database.removeAuthorizer()
        try StoreWriter.prepareSession(database)
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      return try queue.writeWithoutTransaction { database in
        ConversionFunctions(store: store).register(in: database)
        return try body(database)
      }
    }
  }
}
