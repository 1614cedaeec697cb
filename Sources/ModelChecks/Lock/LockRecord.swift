public import VersionHashing

/// What recording a version in a lock file did.
public struct LockRecord: Hashable, Sendable {
  /// What it did.
  public enum Outcome: String, Hashable, Sendable, Encodable {
    /// It was not there before.
    case recorded
    /// It was there with the same hashes.
    case unchanged
    /// It was a draft and is released.
    case released
    /// The draft was recorded again.
    case updated
    /// It was there under another name, of which the bundle has no version.
    case renamed
    /// A released entry was overwritten, which was asked for.
    case relocked
  }

  /// The version's name.
  public let version: String
  /// What it is now.
  public let state: LockFile.State
  /// Its hashes.
  public let hashes: VersionHashes
  /// What may be lost on the way to it, sorted.
  public let allowedLosses: [String]
  /// What was to be allowed, now or before, and is not lost, sorted.
  public let droppedLosses: [String]
  /// What recording did.
  public let outcome: Outcome
  /// For a released entry that was overwritten, in what the version differs from the released one: stores of that one
  /// cannot be opened any more.
  public let edits: [String]
  /// What is recorded for the first time as what rows may stand in the way of, sorted.
  public var mayBlock: [String] = []
  /// The relationships that name join tables in a store that was shown, sorted.
  public var joinNames: [String] = []
}
