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

/// One of many stores that are to be migrated.
public struct FleetStore: Hashable, Sendable {
  /// The path, as somebody names the store who named its folder as the command did.
  public let path: String
  let key: String
  /// True when it was named itself, so that it must be a store; false when it was found in a folder.
  public let isNamed: Bool
  /// Which attempt this is, from 1.
  public let attempt: Int
  /// False when it is known that no crash left a copy of it behind, so that nobody need look.
  public let mayHaveLeftovers: Bool
}

/// What a run over many stores reports while it goes on.
public enum FleetEvent: Sendable {
  /// It is looking through the folders.
  case searching(files: Int, stores: Int)
  /// It could not look into a folder, or at a file.
  case failed(path: String, any Error)
  /// One store is done.
  case ended(FleetResult)
  /// How far it is; reported about ten times a second.
  case progress(FleetProgress)
}

/// How far a run over many stores is.
public struct FleetProgress: Hashable, Sendable {
  /// The stores that were worked on.
  public var done: Int
  /// The stores to work on in this run.
  public var total: Int
  /// Those that failed.
  public var failed: Int
  /// How long the work has taken so far.
  public var seconds: Double

  /// Stores a second; nil while that is not known.
  public var rate: Double? { done > 0 && seconds > 0.2 ? Double(done) / seconds : nil }

  /// How many seconds are left if it goes on like this; nil while that is not known.
  public var secondsLeft: Double? { rate.map { Double(total - done) / $0 } }
}
