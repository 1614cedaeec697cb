public import PersistentStores

extension MigrationRecord {
  /// Why a run ended before every store had its turn.
  public enum Ending: Hashable, Sendable {
    case failed(CaughtError)
    /// Somebody stopped it when no store was left.
    case stopped
    /// Somebody stopped it before every store had its turn.
    case stoppedEarly
  }
}

extension MigrationRecord.Ending: CustomStringConvertible {
  /// The cause in a clause.
  public var description: String {
    switch self {
    case .failed(let error): "ended by an error: \(error)"
    case .stopped: "stopped by somebody"
    case .stoppedEarly: "stopped by somebody before every store had its turn"
    }
  }
}
