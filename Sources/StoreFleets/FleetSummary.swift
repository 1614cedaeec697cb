import StoreMigration

/// The results of many stores, counted.
public struct FleetSummary: Hashable, Sendable {
  /// The files in the folders that are not stores to migrate.
  public struct PassedOver: Hashable, Sendable {
    /// Files of any other kind.
    public var files = 0
    /// Backups: files whose name ends in `.backup`, or in `.backup` and a number.
    public var backups = 0
    /// Symbolic links.
    public var links = 0

    /// All of them.
    public var total: Int { files + backups + links }
  }

  /// Stores that have a new version now.
  public var migrated = 0
  /// Stores that were looked at and had the wanted version.
  public var alreadyCurrent = 0
  /// Stores that were migrated on a copy that was not kept.
  public var rehearsed = 0
  /// Stores that an earlier run finished and that are unchanged; they were not opened.
  public var finishedBefore = 0
  /// Stores that failed and are unchanged, and folders that could not be read.
  public var failed = 0
  /// Stores of the list that were not started before the run was stopped.
  public var remaining = 0
  /// Files that are not stores.
  public var passedOver = PassedOver()
  /// The duration of the run in seconds.
  public var seconds = 0.0
  /// True if the user stopped the run.
  public var isInterrupted = false

  /// Creates a summary of nothing.
  public init() {}

  /// The stores that the run had something to do with.
  public var storeCount: Int { migrated + alreadyCurrent + rehearsed + finishedBefore + failed + remaining }

  mutating func count(_ ending: FleetResult.Ending) {
    switch ending {
    case .finished(let outcome):
      switch outcome.result {
      case .migrated: migrated += 1
      case .alreadyCurrent: alreadyCurrent += 1
      case .rehearsed: rehearsed += 1
      }
    case .failed: failed += 1
    case .passedOver: passedOver.files += 1
    case .interrupted: remaining += 1
    }
  }
}
