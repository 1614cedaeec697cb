public import PersistentStores
public import StoreMigration

/// The result of one of many stores.
public struct FleetResult: Sendable {
  /// The result.
  public enum Ending: Sendable {
    /// It has the wanted version, or was rehearsed.
    case finished(MigrationOutcome)
    /// It failed and is unchanged.
    case failed(any Error)
    /// It was found in a folder and is not a Core Data store.
    case passedOver(StoreError)
    /// The user stopped the run; the store is unchanged.
    case interrupted
  }

  /// The store.
  public let store: FleetStore
  /// The result.
  public let ending: Ending
  /// The duration in seconds.
  public let seconds: Double
  /// The file after the work; nil if it may change by itself, because there is a log beside it.
  let stamp: FileStatus?
}

/// One of many stores that are to be migrated.
public struct FleetStore: Hashable, Sendable {
  /// The path, relative to the name of its folder that the user gave.
  public let path: String
  let key: String
  /// True if it was named itself, so that it must be a store; false if it was found in a folder.
  public let isNamed: Bool
  /// The number of this attempt, from 1.
  public let attempt: Int
  /// False if a crash cannot have left a copy of it.
  public let mayHaveLeftovers: Bool
}

/// An event during a run over many stores.
public enum FleetEvent: Sendable {
  /// It is searching the folders.
  case searching(files: Int, stores: Int)
  /// It could not read a folder or a file.
  case failed(path: String, any Error)
  /// One store is done.
  case ended(FleetResult)
  /// The progress; reported about ten times per second.
  case progress(FleetProgress)
}

/// The progress of a run over many stores.
public struct FleetProgress: Hashable, Sendable {
  /// The stores that were worked on.
  public var done: Int
  /// The stores to work on in this run.
  public var total: Int
  /// The stores that failed.
  public var failed: Int
  /// The seconds so far.
  public var seconds: Double

  /// Stores per second; nil as long as this is unknown.
  public var rate: Double? { done > 0 && seconds > 0.2 ? Double(done) / seconds : nil }

  /// The estimated number of seconds that are left; nil as long as it is unknown.
  public var secondsLeft: Double? { rate.map { Double(total - done) / $0 } }
}
