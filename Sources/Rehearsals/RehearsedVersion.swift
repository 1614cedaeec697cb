public import MappingModels
public import PersistentStores
public import StoreMigration

/// The result of one older version.
public struct RehearsedVersion: Hashable, Sendable {
  /// A path on which a store is migrated.
  public enum Path: String, Hashable, Sendable, CaseIterable, Encodable {
    /// In the store itself, as `migrate` does.
    case inPlace = "in place"
    /// On a copy that replaces the store, as `migrate` does.
    case clone = "on a copy"
    /// One version after the other, as for a user who installs every update.
    case stepByStep = "step by step"
    /// To the next version, and from there as `migrate` does it: what every step gives follows from that of the next.
    case nextStep = "next step, then in place"
    /// Directly from the first version to the last, as Core Data's automatic migration does; left out if there is a mapping model.
    case straight = "directly"
  }

  /// A step from a single version to another.
  public struct Step: Hashable, Sendable {
    /// The source version.
    public let source: String
    /// The destination version.
    public let destination: String
  }

  /// The result of a path.
  public enum Ending: Hashable, Sendable {
    /// The store has the new version and is sound.
    case migrated
    /// Rows block the migration, as they would for users who have such rows.
    case refused(at: Step, Refusal)
    /// The migration failed for a reason other than the rows.
    case failed
  }

  /// One path of an attempt.
  public struct Trip: Hashable, Sendable {
    /// The path.
    public let path: Path
    /// The versions that the path visits, source first.
    public let versions: [String]
    /// The result.
    public let ending: Ending
  }

  /// One filling of the store, migrated on every path.
  public struct Attempt: Hashable, Sendable {
    /// True if every optional value is set and values differ as far as possible.
    public let isComplete: Bool
    /// The rows of every entity, nil for a store that was given.
    public let rowsPerEntity: Int?
    /// The objects in the store.
    public let objectCount: Int
    /// The paths in their order.
    public var trips: [Trip] = []
    /// The losses on any path.
    public var losses: Set<DataLoss> = []
    /// Remarks about the attempt.
    public var notes: [Note] = []
    /// The failures of the attempt.
    public var failures: [Finding] = []
    /// The values that were compared between paths.
    public var comparedValues = 0
    /// The links that were compared between paths.
    public var comparedLinks = 0

    /// True if some path was refused because of rows.
    public var isRefused: Bool { trips.contains { if case .refused = $0.ending { true } else { false } } }
  }

  /// The old version.
  public let source: String
  /// The version to reach.
  public let destination: String
  /// The given store; nil for synthetic stores.
  public var store: String?
  /// The kind of the migration path.
  public let kind: MigrationVerdict.Kind
  /// The fillings: a second one, without gaps, when rows of the first were refused.
  public var attempts: [Attempt] = []
  /// The reason why no migration path exists.
  public var refusal: Finding.Cause?

  /// True if rows block the migration that `migrate` runs.
  public var isRefused: Bool {
    attempts.contains { attempt in
      attempt.trips.contains { trip in
        guard trip.path == .inPlace, case .refused = trip.ending else { return false }
        return true
      }
    }
  }

  /// All failures.
  ///
  /// A refusal counts as a failure if rows are complete and unique, and if the store was given.
  public var failures: [Finding] {
    (refusal.map { [Finding(path: nil, cause: $0)] } ?? []) + attempts.flatMap(\.failures)
      + attempts.filter { $0.isComplete || store != nil }.compactMap(refusal)
  }

  private func refusal(_ attempt: Attempt) -> Finding? {
    var steps: [Step] = []
    for trip in attempt.trips {
      if case .refused(let step, _) = trip.ending, !steps.contains(step) { steps.append(step) }
    }
    guard !steps.isEmpty else { return nil }
    return Finding(path: nil, cause: attempt.isComplete ? .completeRowsRefused(at: steps) : .storeRefused(at: steps))
  }

  /// Something that must not be.
  public struct Finding: Hashable, Sendable {
    /// The path of the failure; nil if it does not belong to a path.
    public let path: Path?
    /// The failure.
    public let cause: Cause

    /// The cause of the failure.
    public enum Cause: Hashable, Sendable {
      /// The bundle lacks a version of this name.
      case unknownVersion(String)
      /// No path leads to the destination, because a step cannot be made.
      case broken(Step, MigrationVerdict.Break.Cause)
      /// No path was found.
      case noPath(CaughtError)
      /// A migration failed.
      case migration(Step, CaughtError)
      /// The migrated store is not what its model says.
      case unsound(StoreFinding)
      /// Two stores differ that should be equal.
      case difference(ContentDifference, Comparison)
      /// The copy ends with a different result than the store in place.
      case otherEnding(Ending, inPlace: Ending)
      /// A direct migration is refused although each step alone is possible.
      case combinedPathRefused
      /// Rows are refused that no row can be to blame for.
      case completeRowsRefused(at: [Step])
      /// The given store is refused.
      case storeRefused(at: [Step])
    }
  }

  /// The two stores that are compared, the one that is questioned first.
  public enum Comparison: Hashable, Sendable {
    /// By clone and in place.
    case clone
    /// On a path of several steps, and directly.
    case stepped(Path)
    /// Straight and through the versions, where the models give no reason to differ.
    case straight
    /// After the migration and before it, where no version changes anything.
    case unchanged
  }

  /// The reason why rows are refused, which requires a decision of the user.
  public enum Refusal: Error, Hashable, Sendable {
    /// Rows that no migration takes as they are.
    case rows([MigrationBlocked.BlockingRows])
    /// Any other blocker.
    case blocked(MigrationBlocked)
    /// An expression of a mapping lacks a value for a row.
    case expression(MigrationError)

    /// Takes the blockers; only the rows if there are any.
    init(_ blocked: MigrationBlocked) { self = blocked.blockers.isEmpty ? .blocked(blocked) : .rows(blocked.blockers) }
  }

  /// A remark about an attempt.
  public enum Note: Hashable, Sendable {
    /// A direct migration skips versions.
    case detour(MigrationPath.Detour)
    /// Several steps give another result than the direct migration.
    case difference(ContentDifference, Comparison)
    /// Straight gives something else than the versions, for a reason in the models.
    case straight(StraightReason)
  }
}
