import Foundation
import ModelDescription
public import ModelFiles
public import PersistentStores
public import VersionHashing

/// The lock file of a bundle, `Name.lock.json` beside it, with its versions.
public struct LockFile: Hashable, Sendable {
  /// The state of a version.
  public enum State: String, Hashable, Sendable, Codable {
    /// Users have stores of it, so it must never change.
    case released
    /// It is still being worked on.
    case draft
    /// Its stores are not supported any more, so the version may be deleted.
    case retired
  }

  /// The day and the reason of the end of support of a version.
  public struct Retirement: Hashable, Sendable {
    /// The day in UTC, as `2026-11-27`.
    public let date: String
    /// The reason in a single line.
    public let reason: String
  }

  /// The entry of a version.
  public struct Entry: Hashable, Sendable {
    /// The state of the version.
    public var state: State
    /// The hashes it had when it was recorded.
    public var hashes: VersionHashes
    /// The names of the losses that the steps to it may have.
    public var allowedLosses: Set<String>
    /// The version before it, if the order of names does not show it.
    public var predecessor: String?
    /// The relationships that name join tables with both ends on a single entity, from a store of Core Data.
    public var joinNames: Set<String> = []
    /// The earlier released checksum of a version that was recorded again.
    public var replaces: String?
    /// The digests of the mapping models to it, by their source version and their path from the lock file's folder.
    public var mappings: [String: [String: String]] = [:]
    /// The digests of mapping models to it before it was recorded again.
    public var replacedMappings: Set<String> = []
    /// The end of its support; nil unless it is retired.
    public var retirement: Retirement?
    /// The accepted blockers of the steps to it, such as `Order.total` or `Order(number, date)`.
    public var mayBlock: Set<String> = []
    /// The version whose entity hashes the file does not repeat; nil if the entry lists all hashes.
    public var sameAs: String?
    /// The location of the entry; nil if it was not read from a file.
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
  /// The entries, by the names of the versions.
  public var entries: [String: Entry]
  /// The location of the list of entries; nil if it was not read from a file.
  public var location: SourceLocation?
  /// The digest of the list of released versions in the file; nil for a format without a digest.
  var digest: (value: String, location: SourceLocation)? {
    get { recordedDigest.flatMap { value in digestLocation.map { (value, $0) } } }
    set { (recordedDigest, digestLocation) = (newValue?.value, newValue?.location) }
  }
  private var recordedDigest: String?
  private var digestLocation: SourceLocation?
  /// The version of the format of the file; the newest for a file that was not read.
  public internal(set) var form = LockFile.formVersion

  /// True if the format of the file has digests of mapping models and accepted blockers.
  public var recordsSteps: Bool { form >= 2 }

  /// Makes a lock file.
  public init(path: String, entries: [String: Entry] = [:], location: SourceLocation? = nil) {
    (self.path, self.entries, self.location) = (path, entries, location)
  }

  /// The digest of the names of released and retired versions, which shows entries that were removed by hand.
  var listDigest: String {
    let lines = entries.filter { $0.value.state != .draft }.map { "\($0.value.state.rawValue) \($0.key)\n" }
    let text = lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined()
    return Data(DataDigest.sha256(of: Data(text.utf8))).base64EncodedString()
  }

  /// False if an entry was added or removed by hand, or by a merge that does not update the digest.
  public var isIntact: Bool { digest.map { $0.value == listDigest } ?? true }

  /// The entries in the natural order of their names; only entries in a given state, if any.
  func sortedEntries(_ state: State? = nil) -> [(key: String, value: Entry)] {
    VersionOrder.sorted(entries.filter { state == nil || $0.value.state == state }, by: \.key)
  }

  /// The recorded names of join tables of the unchanged versions.
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

  /// A path from the folder of the lock file, in which the file lists it.
  func relativePath(of path: String) -> String {
    let (base, parts) = (Self.components(BundlePath.parent(self.path)), Self.components(path))
    let shared = zip(parts, base).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: base.count - shared) + parts.dropFirst(shared)).joined(separator: "/")
  }

  /// The path from the working folder of a path from the folder of the lock file.
  func path(ofRelativePath place: String) -> String {
    var parts = BundlePath.components(BundlePath.parent(path)).filter { $0 != "." }
    for part in BundlePath.components(place) where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  private static func components(_ path: String) -> [String] {
    URL(fileURLWithPath: path.isEmpty ? "." : path).standardizedFileURL.pathComponents
  }

  /// The versions in the recorded order, oldest first; empty if the file does not have an order.
  ///
  /// A version follows the version that its entry names, or the version before it by name among the names of its stem.
  /// If several versions do not follow a version, as in a file with two stems, there is no order.
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
      // The last pushed version is the next: a version of the same stem, then versions of other stems.
      let stem = VersionSequence.stem(of: name)
      open += next.filter { VersionSequence.stem(of: $0) != stem }.reversed()
      open += next.filter { VersionSequence.stem(of: $0) == stem }.reversed()
    }
    return order.count == entries.count ? order : []
  }

  /// Records the version before each version, if other evidence than the names shows it.
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

  /// The versions that are their own predecessors, directly or through other versions.
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

  /// The version before each version by name, among the entries of its stem.
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
