public import PersistentStores
public import StoreMigration

extension RehearsedVersion {
  /// Something that must not be.
  public struct Finding: Hashable, Sendable {
    /// The path on which it is, nil when it is none's.
    public let path: Path?
    /// What is wrong.
    public let cause: Cause

    /// What is wrong.
    public enum Cause: Hashable, Sendable {
      /// The bundle has no version of this name.
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
      /// The clone ends in another way than the store in place.
      case otherEnding(Ending, inPlace: Ending)
      /// One hop is refused where every step alone is not.
      case oneHopRefused
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
    /// On a path of several steps and in one hop.
    case stepped(Path)
    /// Straight and through the versions, where the models give no reason to differ.
    case straight
    /// After the migration and before it, where no version changes anything.
    case unchanged
  }

  /// What rows are refused for, for which somebody must decide.
  public enum Refusal: Error, Hashable, Sendable {
    /// Rows that no migration takes as they are.
    case rows([MigrationBlocked.BlockingRows])
    /// Anything else in the way.
    case blocked(MigrationBlocked)
    /// An expression of a mapping has no value for a row.
    case expression(MigrationError)

    /// Takes what stands in the way; the rows alone where there are any.
    init(_ blocked: MigrationBlocked) {
      self = blocked.blockers.isEmpty ? .blocked(blocked) : .rows(blocked.blockers)
    }
  }

  /// What a reader should know of an attempt.
  public enum Note: Hashable, Sendable {
    /// One hop passes versions over.
    case detour(MigrationRoute.Detour)
    /// Several steps give something else than the one hop that passes versions over.
    case difference(ContentDifference, Comparison)
    /// Straight gives something else than the versions, for a reason in the models.
    case straight(StraightReason)
  }
}
