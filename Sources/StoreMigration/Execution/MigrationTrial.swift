import Foundation
import GRDB
import MappingModels
import PersistentStores

/// Makes a migration on a copy in a temporary folder, to find what stands in the way of objects that are only there then.
struct MigrationTrial {
  /// The largest store that is copied for it, in bytes.
  private static let limit: Int64 = 64 << 20

  let request: MigrationRequest
  let prepared: PreparedMigration

  /// True when something is asked of what the mapping makes; code of the app's own is never run for a trial.
  private var isNeeded: Bool {
    let asks = prepared.stages.count > 1 || prepared.stages.contains { !$0.plan.validations.isEmpty }
    return asks && prepared.stages.allSatisfy { $0.plan.policies == nil }
  }

  /// Adds what stands in the way of the objects to what stands in the way of the rows.
  ///
  /// - Parameters:
  ///   - known: what was found in the rows; where they are in the way themselves no objects are made.
  ///   - database: a connection to the store.
  /// - Returns: all of it; nil where the store is too large for a trial, or the trial cannot be made, such as for want of
  ///   room in the temporary folder.
  /// - Throws: ``MigrationError/expressionFailed(mapping:work:detail:)`` for an expression that fails in a row.
  func blocked(beside known: MigrationBlocked, in database: Database) throws -> MigrationBlocked? {
    guard isNeeded, known.failures.isEmpty, known.blockers.isEmpty else { return known }
    guard prepared.snapshot.byteCount <= Self.limit else { return nil }
    guard let folder = try? TemporaryStoreFolder(), let path = try? copy(of: database, in: folder) else { return nil }
    var trial = request
    trial.path = path
    trial.options.strategy = .inPlace
    trial.options.allowedLosses.formUnion(known.losses.map(\.loss.loss.element))
    (trial.keepsBackup, trial.isRehearsal, trial.looksForLeftovers) = (false, false, false)
    defer { withExtendedLifetime(folder) {} }
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

  private func copy(of database: Database, in folder: TemporaryStoreFolder) throws -> String {
    let path = folder.path(of: "store.sqlite")
    let copy = try DatabaseQueue(path: path)
    try copy.writeWithoutTransaction { try StoreClone.copy(database, to: $0) { _ in } }
    try copy.close()
    try linkFiles(to: path)
    return path
  }

  /// Lets the copy name the store's files of external data, which a migration only reads.
  private func linkFiles(to path: String) throws {
    let files = ExternalData.folder(ofStore: request.path)
    guard FileManager.default.fileExists(atPath: files) else { return }
    let link = URL(fileURLWithPath: ExternalData.folder(ofStore: path))
    try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(fileURLWithPath: files))
  }
}
