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
    /// The digests of the mapping models that lead to it, by the version they start from and their paths as seen from the
    /// lock file's folder.
    public var mappings: [String: [String: String]] = [:]
    /// The digests of mapping models that led to it before it was recorded anew.
    public var replacedMappings: Set<String> = []
    /// What rows may stand in the way on the steps to it, such as `Order.total` or `Order(number, date)`.
    public var mayBlock: Set<String> = []
    /// The version whose entity hashes the file does not repeat; nil when it lists all.
    public var sameAs: String?
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
  /// The version of the form it was read in; the newest for one that was not read.
  public internal(set) var form = LockFile.formVersion

  /// True when entries hold what was recorded of the steps to them: digests of mapping models, and what may block.
  public var recordsSteps: Bool { form >= 2 }

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
