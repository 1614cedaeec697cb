/// How far a rehearsal is, for people who wait.
public struct RehearsalProgress: Hashable, Sendable {
  /// The old version that is rehearsed, or the store that was given.
  public let source: String
  /// Its place among those to rehearse, from 1.
  public let position: Int
  /// How many there are.
  public let count: Int
  /// What is migrated now, nil while the store is made.
  public let path: RehearsedVersion.Path?
}
