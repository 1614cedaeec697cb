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
    /// Users may have stores of it, which are not supported any more: the version may go.
    case retired
  }

  /// When and why the support of a version ended.
  public struct Retirement: Hashable, Sendable {
    /// The day in UTC, as `2026-11-27`.
    public let date: String
    /// Why, in one line.
    public let reason: String
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
    /// When and why its support ended, nil unless that is its state.
    public var retirement: Retirement?
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
      (self.state, self.hashes, self.allowedLosses) = (state, hashes, allowedLosses)
      (self.predecessor, self.replaces, self.location) = (predecessor, replaces, location)
    }
  }

  /// The file's path.
  public var path: String
  /// The entries by the versions' names.
  public var entries: [String: Entry]
  /// Where the list of entries stands, nil when it was not read from a file.
  public var location: SourceLocation?
  /// The digest of the list of released versions that the file holds; nil for a form that has none.
  var digest: (value: String, location: SourceLocation)? {
    get { recordedDigest.flatMap { value in digestLocation.map { (value, $0) } } }
    set { (recordedDigest, digestLocation) = (newValue?.value, newValue?.location) }
  }
  private var recordedDigest: String?
  private var digestLocation: SourceLocation?
  /// The version of the form it was read in; the newest for one that was not read.
  public internal(set) var form = LockFile.formVersion

  /// True when entries hold what was recorded of the steps to them: digests of mapping models, and what may block.
  public var recordsSteps: Bool { form >= 2 }

  /// Makes a lock file.
  public init(path: String, entries: [String: Entry] = [:], location: SourceLocation? = nil) {
    (self.path, self.entries, self.location) = (path, entries, location)
  }

  /// The digest of the names of the versions that users have or had, by which an entry that was taken out by hand is
  /// noticed.
  var listDigest: String {
    let lines = entries.filter { $0.value.state != .draft }.map { "\($0.value.state.rawValue) \($0.key)\n" }
    let text = lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined()
    return Data(DataDigest.sha256(of: Data(text.utf8))).base64EncodedString()
  }

  /// False where an entry was taken out or put in by hand, or by a merge that knows nothing of the digest.
  public var isIntact: Bool { digest.map { $0.value == listDigest } ?? true }

  /// The entries in the natural order of their names, only those in a state when one is given.
  func sortedEntries(_ state: State? = nil) -> [(key: String, value: Entry)] {
    VersionOrder.sorted(entries.filter { state == nil || $0.value.state == state }, by: \.key)
  }

  /// What the file has recorded of the names of join tables, of the versions that still are as they were.
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

  /// The versions in the order that is recorded, oldest first; empty when the file does not say it.
  ///
  /// A version follows the one that its entry names, else the one before it by name among those of its stem. Where that
  /// leaves several versions that follow none, as in a file of two stems that says no more, there is no order.
  var recordedOrder: [String] {
    let parents = naturalPredecessors.merging(entries.compactMapValues(\.predecessor)) { $1 }
    let firsts = entries.keys.filter { parents[$0] == nil }
    guard firsts.count == 1, let first = firsts.first else { return [] }
    var children: [String: [String]] = [:]
    for name in VersionOrder.sorted(parents.keys) { children[parents[name] ?? "", default: []].append(name) }
    var order: [String] = []
    var open = [first]
    while let name = open.popLast() {
      order.append(name)
      let next = children[name] ?? []
      // What is taken last comes first: a version of the same stem, then those of other stems.
      let stem = VersionSequence.stem(of: name)
      open += next.filter { VersionSequence.stem(of: $0) != stem }.reversed()
      open += next.filter { VersionSequence.stem(of: $0) == stem }.reversed()
    }
    return order.count == entries.count ? order : []
  }

  /// Writes down which version came before each, where the names do not say so and something else does.
  mutating func recordOrder(_ sequence: VersionSequence) {
    let natural = naturalPredecessors
    let order = sequence.names.filter { entries[$0] != nil }
    for (earlier, later) in zip(order, order.dropFirst()) where sequence.isOrdered(earlier, before: later) == true {
      entries[later]?.predecessor = natural[later] == earlier ? nil : earlier
    }
    if let first = order.first, let other = entries[first]?.predecessor, entries[other] == nil {
      entries[first]?.predecessor = nil
    }
  }

  /// The versions that are among those before them, as far as their entries name the one before.
  var followed: Set<String> {
    let natural = naturalPredecessors
    return Set(
      entries.keys.filter { name in
        var seen: Set<String> = [name]
        var earlier = entries[name]?.predecessor
        while let next = earlier {
          guard seen.insert(next).inserted else { return true }
          earlier = entries[next]?.predecessor ?? natural[next]
        }
        return false
      })
  }

  /// The version before each by name, among the entries of its stem.
  private var naturalPredecessors: [String: String] {
    var last: [String: String] = [:]
    var found: [String: String] = [:]
    for name in VersionOrder.sorted(entries.keys) {
      let earlier = last.updateValue(name, forKey: VersionSequence.stem(of: name))
      if let earlier { found[name] = earlier }
    }
    return found
  }
}
