public import PersistentStores
public import StoreMigration

/// What came of one of many stores.
public struct FleetResult: Sendable {
  /// How it ended.
  public enum Ending: Sendable {
    /// It has the wanted version, or was rehearsed.
    case finished(MigrationOutcome)
    /// It is as it was.
    case failed(any Error)
    /// It was found in a folder and is no Core Data store.
    case passedOver(StoreError)
    /// Somebody stopped the run; it is as it was.
    case interrupted
  }

  /// The store.
  public let store: FleetStore
  /// How it ended.
  public let ending: Ending
  /// How long it took.
  public let seconds: Double
  /// The file after the work; nil where it may change by itself, because there is a log beside it.
  let stamp: FileStatus?
}
