/// How far a migration is, for people who wait.
public struct MigrationProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    case checking
    case copying
    case migrating
    case verifying
    case swapping
  }

  /// What is being done.
  public var phase: Phase
  /// The part of the phase that is done, from 0 to 1.
  public var fraction: Double
}
