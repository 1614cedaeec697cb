import PersistentStores

/// What a migration took, to be held against what was forecast.
public struct MigrationFigures: Hashable, Sendable {
  /// How long it took from the lock on, in seconds.
  public var seconds: Double
  /// The bytes that the process had written to disks meanwhile, nil where the system does not tell.
  public var bytesWritten: Int64?

  /// Measures some work.
  ///
  /// - Parameter work: the work.
  /// - Returns: what it gives, and what it took.
  /// - Throws: what the work throws.
  static func measuring<Value>(_ work: () throws -> Value) rethrows -> (Value, MigrationFigures) {
    let written = WrittenBytes.ofThisProcess
    let start = ContinuousClock.now
    let value = try work()
    let seconds = (ContinuousClock.now - start).inSeconds
    let bytes = WrittenBytes.ofThisProcess.flatMap { now in written.map { now - $0 } }
    return (value, MigrationFigures(seconds: seconds, bytesWritten: bytes))
  }
}
