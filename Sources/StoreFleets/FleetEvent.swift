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
