public import ModelFiles
public import VersionHashing

/// What is recorded of a bundle's versions in `Name.lock.json` beside it.
public struct LockFile: Hashable, Sendable {
  /// Whether users have a version.
  public enum State: String, Hashable, Sendable, Codable {
    /// Users have stores of it: it must never change.
    case released
    /// It is still being worked on.
    case draft
  }

  /// What is recorded of a version.
  public struct Entry: Hashable, Sendable {
    /// Whether users have it.
    public var state: State
    /// The hashes it had when it was recorded.
    public var hashes: VersionHashes
    /// What may be lost on the way from the version before, as `--allow-data-loss` takes it.
    public var allowedLosses: Set<String>
    /// The version that came before, where the names do not say so: the first of a new stem, or one out of order.
    public var predecessor: String?
    /// The relationships that name join tables with both ends on one entity, as a store that Core Data made has them.
    public var joinNames: Set<String> = []
    /// For a version that was recorded anew, the checksum that it was released with before.
    public var replaces: String?
    /// Where the entry stands, nil when it was not read from a file.
    public var location: SourceLocation?

    /// Makes an entry.
    public init(
      state: State, hashes: VersionHashes, allowedLosses: Set<String> = [], predecessor: String? = nil,
      replaces: String? = nil, location: SourceLocation? = nil
    ) {
      self.state = state
      self.hashes = hashes
      self.allowedLosses = allowedLosses
      self.predecessor = predecessor
      self.replaces = replaces
      self.location = location
    }
  }

  /// The file's path.
  public var path: String
  /// The entries by the versions' names.
  public var entries: [String: Entry]
  /// Where the list of entries stands, nil when it was not read from a file.
  public var location: SourceLocation?

  /// Makes a lock file.
  public init(path: String, entries: [String: Entry] = [:], location: SourceLocation? = nil) {
    self.path = path
    self.entries = entries
    self.location = location
  }

  /// The entries in the natural order of their names, only those in a state when one is given.
  func sortedEntries(_ state: State? = nil) -> [(key: String, value: Entry)] {
    VersionOrder.sorted(entries.filter { state == nil || $0.value.state == state }, by: \.key)
  }
}
