import Foundation
import GRDB
import MappingModels
import PersistentStores

/// Makes a migration on a copy in a temporary folder, to find what stands in the way of objects that are only there then.
struct MigrationTrial {
  /// The largest store that is copied for it, in bytes.
  static let limit: Int64 = 64 << 20

  let request: MigrationRequest
  let prepared: PreparedMigration

  /// True when something is asked of what the mapping makes; code of the app's own is never run for a trial.
  var isNeeded: Bool {
    let asks = prepared.stages.count > 1 || prepared.stages.contains { !$0.plan.validations.isEmpty }
    return asks && prepared.stages.allSatisfy { $0.plan.policies == nil }
  }

  /// True when the store is small enough.
  var isAffordable: Bool { prepared.snapshot.byteCount <= Self.limit }

  /// Adds what stands in the way of the objects to what stands in the way of the rows.
  ///
  /// - Parameters:
  ///   - known: what was found in the rows; where they are in the way themselves no objects are made.
  ///   - database: a connection to the store.
  /// - Returns: all of it.
  /// - Throws: ``MigrationError/expressionFailed(mapping:step:detail:)`` for an expression that fails in a row, and what
  ///   SQLite and the file system throw while the store is copied.
  func obstacles(beside known: MigrationBlocked, in database: Database) throws -> MigrationBlocked {
    guard isNeeded, isAffordable, known.failures.isEmpty, known.blockers.isEmpty else { return known }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var trial = request
    trial.path = folder.appendingPathComponent("store.sqlite").path
    trial.options.strategy = .inPlace
    trial.options.allowedLosses.formUnion(known.losses.map(\.loss.loss.element))
    (trial.keepsBackup, trial.isRehearsal, trial.looksForLeftovers) = (false, false, false)
    let copy = try DatabaseQueue(path: trial.path)
    try copy.writeWithoutTransaction { try StoreClone.copy(database, to: $0) { _ in } }
    try copy.close()
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
      return known
    } catch is StoreError {
      return known
    }
  }
}
