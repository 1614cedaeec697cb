import MappingModels
import ModelFiles
import StoreMigration

/// Migrates a store that is thrown away: every loss is consented to, and reported.
struct ConsentingMigration {
  let request: RehearsalRequest
  let destination: LoadedVersion
  let versions: [LoadedVersion]
  let routes: MigrationRoutes
  let strategy: MigrationStrategy?
  let now: Double
  let isInterrupted: (@Sendable () -> Bool)?
  /// What the same rows lose on another path of the same hop, by element; it saves asking them first.
  var known: [String: DataLoss] = [:]

  /// The migration of a store, with consent to what is known to be lost.
  func migration(of path: String) -> MigrationRequest {
    var migration = MigrationRequest(
      path: path, versions: versions, destination: destination, routes: routes, options: request.options,
      policies: request.policies, now: now, keepsBackup: false)
    migration.options.strategy = strategy
    migration.options.allowedLosses.formUnion(known.keys)
    return migration
  }

  /// Runs the migration.
  ///
  /// - Parameter path: the store.
  /// - Returns: what was given up, by element.
  /// - Throws: ``RehearsedVersion/Refusal``, and what a migration throws.
  func run(_ path: String) throws -> [String: DataLoss] {
    var migration = migration(of: path)
    var losses = known
    while true {
      do {
        _ = try StoreMigrator(migration).migrate(isInterrupted: isInterrupted)
        return losses
      } catch let blocked as MigrationBlocked {
        let elements = Set(blocked.losses.map(\.loss.loss.element)).subtracting(migration.options.allowedLosses)
        guard blocked.failures.isEmpty, blocked.blockers.isEmpty, !elements.isEmpty else {
          throw RehearsedVersion.Refusal(blocked)
        }
        migration.options.allowedLosses.formUnion(elements)
        for loss in blocked.losses { losses[loss.loss.loss.element] = loss.loss.loss }
      } catch let error as MigrationError {
        guard case .expressionFailed = error else { throw error }
        throw RehearsedVersion.Refusal.expression(error)
      }
    }
  }
}
