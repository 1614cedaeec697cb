import MappingModels
import ModelFiles
import StoreMigration

/// A path with its stops and what each is reached by.
struct PlannedTrip {
  let path: RehearsedVersion.Path
  /// The versions to migrate to one after the other, each with the versions that may be passed.
  let stops: [(LoadedVersion, [LoadedVersion])]
  let versions: [LoadedVersion]
  let pathFinder: MigrationPathFinder
  let strategy: MigrationStrategy?
}

extension RehearsalAttempt {
  /// The maximum number of versions that every source visits one after the other.
  ///
  /// On longer paths only the first source does, so that the work grows linearly with the versions.
  static let shortWalk = 10

  /// The paths there are: what would only repeat another one is left out.
  func trips(_ migrationPath: MigrationPath) throws -> [PlannedTrip] {
    let end = [(start.destination, start.versions)]
    var trips = [
      PlannedTrip(
        path: .inPlace, stops: end, versions: migrationPath.versions, pathFinder: pathFinder, strategy: .inPlace),
      PlannedTrip(
        path: .clone, stops: end, versions: migrationPath.versions, pathFinder: pathFinder, strategy: .clone),
    ]
    let passed = steppedVersions(migrationPath)
    if passed.count > 2, walksFar || passed.count <= Self.shortWalk {
      let stops = zip(passed, passed.dropFirst()).map { ($1, [$0, $1]) }
      trips.append(
        PlannedTrip(path: .stepByStep, stops: stops, versions: passed, pathFinder: pathFinder, strategy: nil))
    }
    if passed.count > Self.shortWalk {
      trips.append(
        PlannedTrip(
          path: .nextStep, stops: [(passed[1], [passed[0], passed[1]])] + end,
          versions: [passed[0], passed[1], start.destination], pathFinder: pathFinder, strategy: nil))
    }
    // Around a written mapping model the way ends elsewhere on purpose.
    let isWritten = migrationPath.parts.contains { $0.mappingPath != nil }
    if isStraightInferable, !isWritten, migrationPath.versions.count > 2 {
      trips.append(
        PlannedTrip(
          path: .straight, stops: end, versions: [start.version, start.destination], pathFinder: directPathFinder,
          strategy: nil))
    }
    return trips
  }

  /// The versions that steps visit: all of them, also if a direct migration skips some because it cannot be composed.
  private func steppedVersions(_ migrationPath: MigrationPath) -> [LoadedVersion] {
    guard migrationPath.detour != nil else { return migrationPath.versions }
    let versions = start.versions
    let graph = VersionGraph(versions)
    guard let first = versions.firstIndex(where: { $0.name == start.version.name }),
      let last = versions.firstIndex(where: { $0.name == start.destination.name })
    else { return migrationPath.versions }
    let chain = [first] + graph.positions(between: first, and: last) + [last]
    let isWhole = zip(chain, chain.dropFirst()).allSatisfy { graph.leads(from: $0, to: $1) }
    return isWhole ? chain.map { versions[$0] } : migrationPath.versions
  }
}

/// Migrates a store that is thrown away: every loss is consented to, and reported.
struct ConsentingMigration {
  let request: RehearsalRequest
  let destination: LoadedVersion
  let versions: [LoadedVersion]
  let pathFinder: MigrationPathFinder
  let strategy: MigrationStrategy?
  let now: Double
  let isInterrupted: (@Sendable () -> Bool)?
  /// The losses of the same rows on a different path of the same step, by element; they need not be counted again.
  var known: [String: DataLoss] = [:]

  /// The migration of a store, with consent to what is known to be lost.
  func migration(of path: String) -> MigrationRequest {
    var migration = MigrationRequest(
      path: path, versions: versions, destination: destination, pathFinder: pathFinder, options: request.options,
      policies: request.policies, now: now, keepsBackup: false)
    migration.options.strategy = strategy
    migration.options.allowedLosses.formUnion(known.keys)
    return migration
  }

  /// Runs the migration.
  ///
  /// - Returns: what was given up, by element.
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
