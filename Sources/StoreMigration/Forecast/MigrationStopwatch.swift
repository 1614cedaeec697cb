import PersistentStores

/// Measures what a migration takes, without the trials of its forecast.
struct MigrationStopwatch {
  private var start = ContinuousClock.now
  private var written = WrittenBytes.ofThisProcess

  /// What it took so far.
  var figures: MigrationFigures {
    MigrationFigures(
      seconds: (ContinuousClock.now - start).inSeconds,
      bytesWritten: WrittenBytes.ofThisProcess.flatMap { now in written.map { now - $0 } })
  }

  /// Does something that is not measured.
  mutating func pausing<Value>(_ work: () throws -> Value) rethrows -> Value {
    let before = ContinuousClock.now
    let writtenBefore = WrittenBytes.ofThisProcess
    defer {
      start += ContinuousClock.now - before
      if let now = WrittenBytes.ofThisProcess, let writtenBefore { written = written.map { $0 + now - writtenBefore } }
    }
    return try work()
  }
}
