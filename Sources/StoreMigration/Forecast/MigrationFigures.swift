/// What a migration took, to be held against what was forecast.
public struct MigrationFigures: Hashable, Sendable {
  /// How long it took from the lock on, in seconds.
  public var seconds: Double
  /// The bytes that the process had written to disks meanwhile, nil where the system does not tell.
  public var bytesWritten: Int64?
}
