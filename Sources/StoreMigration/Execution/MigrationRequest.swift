public import Foundation
public import ModelFiles
public import PersistentStores

/// A store and the migration to run on it.
///
/// ```swift
/// var request = try Workspace(at: "Models").load().migration(of: "store.sqlite", to: "v3")
/// request.options.allowedLosses = ["Order.note"]
/// request.keepsBackup = true
/// let outcome = try StoreMigrator(request).migrate()
/// print(outcome.from, "to", outcome.to)
/// ```
///
/// ## Topics
///
/// ### The store and its path
/// - ``path``
/// - ``versions``
/// - ``destination``
/// - ``pathFinder``
/// - ``references``
///
/// ### Decisions
/// - ``options``
/// - ``policies``
/// - ``keepsBackup``
/// - ``isRehearsal``
///
/// ### Running
/// - ``busyTimeout``
/// - ``countsRows``
/// - ``looksForLeftovers``
/// - ``now``
public struct MigrationRequest: Sendable {
  /// The store.
  public var path: String
  /// The bundle's versions, oldest first.
  public var versions: [LoadedVersion]
  /// The version to reach.
  public var destination: LoadedVersion
  /// Finds the path; share it between stores to infer mappings only once.
  public var pathFinder: MigrationPathFinder
  /// The decisions of the user.
  public var options: MigrationOptions
  /// The policies in code that mapping models may name.
  public var policies: PolicyRegistry
  /// The value of `now()` in expressions, in seconds since 2001-01-01T00:00:00Z: the same for every object.
  public var now: Double
  /// True to count rows even when no step touches them.
  public var countsRows: Bool
  /// True to always keep the untouched original, false to never keep it; nil keeps it if a copy replaces the store or data
  /// is lost.
  public var keepsBackup: Bool?
  /// True to do everything on a copy and keep nothing.
  public var isRehearsal: Bool
  /// False if a crash cannot have left a copy of the store; looking for a copy reads the complete folder.
  public var looksForLeftovers = true
  /// The known names of join tables whose ends are the same entity.
  public var references: [JoinNameReference] = []
  /// The number of seconds to wait for another process.
  public var busyTimeout: Double
  package var files: any FileOperations = SystemFiles()

  /// Creates a request.
  public init(
    path: String, versions: [LoadedVersion], destination: LoadedVersion,
    pathFinder: MigrationPathFinder = MigrationPathFinder(),
    options: MigrationOptions = MigrationOptions(), policies: PolicyRegistry = PolicyRegistry(),
    now: Double = Date().timeIntervalSinceReferenceDate, countsRows: Bool = false,
    keepsBackup: Bool? = nil, isRehearsal: Bool = false, busyTimeout: Double = 5
  ) {
    (self.path, self.versions, self.destination, self.pathFinder) = (path, versions, destination, pathFinder)
    (self.options, self.policies, self.now, self.countsRows) = (options, policies, now, countsRows)
    (self.keepsBackup, self.isRehearsal, self.busyTimeout) = (keepsBackup, isRehearsal, busyTimeout)
  }
}

/// The progress of a migration.
public struct MigrationProgress: Hashable, Sendable {
  /// The current work.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    case checking
    case copying
    case migrating
    case verifying
    case swapping
  }

  /// The current work.
  public var phase: Phase
  /// The part of the phase that is done, from 0 to 1.
  public var fraction: Double
}
