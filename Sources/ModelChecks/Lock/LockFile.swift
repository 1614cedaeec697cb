import Foundation
import ModelDescription
public import ModelFiles
public import PersistentStores
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

extension LockFile {
  /// What the file has recorded of the names of join tables, of the versions that still are as they were.
  ///
  /// - Parameter versions: the versions of the bundle.
  /// - Returns: one reference a version that has any, by name.
  public func joinNameReferences(among versions: [LoadedVersion]) -> [JoinNameReference] {
    sortedEntries().compactMap { name, entry in
      guard !entry.joinNames.isEmpty,
        let version = versions.first(where: { $0.name == name && $0.versionHashes == entry.hashes })
      else { return nil }
      let naming = version.hierarchy.model.entities.flatMap { entity in
        entity.relationships.map { PropertyAddress(entity: entity.name, property: $0.name) }
      }
      return JoinNameReference(
        path: path, hierarchy: version.hierarchy,
        naming: Set(naming.filter { entry.joinNames.contains("\($0)") }))
    }
  }
}

extension LockFile {
  /// How the file calls a path: as it is seen from the file's own folder, wherever the program runs.
  func place(of path: String) -> String {
    let (base, parts) = (Self.components(BundlePath.parent(self.path)), Self.components(path))
    let shared = zip(parts, base).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: base.count - shared) + parts.dropFirst(shared)).joined(separator: "/")
  }

  /// The path here of what the file calls by a place.
  func path(of place: String) -> String {
    var parts = BundlePath.components(BundlePath.parent(path)).filter { $0 != "." }
    for part in BundlePath.components(place) where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  private static func components(_ path: String) -> [String] {
    URL(fileURLWithPath: path.isEmpty ? "." : path).standardizedFileURL.pathComponents
  }
}
