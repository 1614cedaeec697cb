import MappingModels
import PersistentStores

/// Migrates a store that is thrown away: every loss is consented to, and told.
struct ConsentingMigration {
  /// Rows stand in the way, for which somebody must decide.
  struct Refusal: Error {
    let reason: String
  }

  let request: RehearsalRequest
  let destination: KnownVersion
  let versions: [KnownVersion]
  let routes: MigrationRoutes
  let strategy: MigrationStrategy?
  let now: Double
  let isInterrupted: (@Sendable () -> Bool)?
  /// What the same rows lose on another path of the same hop, by element; it saves asking them first.
  var known: [String: String] = [:]

  /// Runs the migration.
  ///
  /// - Parameter path: the store.
  /// - Returns: what was given up, a sentence an element.
  /// - Throws: ``Refusal``, and what a migration throws.
  func run(_ path: String) throws -> [String: String] {
    var migration = MigrationRequest(
      path: path, versions: versions, destination: destination, routes: routes, options: request.options,
      policies: request.policies, now: now, keepsBackup: false)
    migration.options.strategy = strategy
    migration.options.allowedLosses.formUnion(known.keys)
    var losses = known
    while true {
      do {
        _ = try StoreMigrator(migration).migrate(isInterrupted: isInterrupted)
        return losses
      } catch let blocked as MigrationBlocked {
        let elements = Set(blocked.losses.map(\.loss.loss.element)).subtracting(migration.options.allowedLosses)
        guard blocked.failures.isEmpty, blocked.blockers.isEmpty, !elements.isEmpty else {
          throw Refusal(reason: Self.reason(blocked))
        }
        migration.options.allowedLosses.formUnion(elements)
        for loss in blocked.losses { losses[loss.loss.loss.element] = loss.loss.loss.sentence }
      } catch let error as MigrationError {
        guard case .expressionFailed = error else { throw error }
        throw Refusal(reason: "\(error)")
      }
    }
  }

  /// What rows are refused for, with the options that `migrate` takes; a rehearsal takes none of them.
  private static func reason(_ blocked: MigrationBlocked) -> String {
    guard !blocked.blockers.isEmpty else { return "\(blocked)" }
    return blocked.blockers.map { $0.sentence(leadingToOption: "To go on, migrate with") }.joined(separator: "\n")
  }
}
