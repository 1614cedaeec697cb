/// The order of the versions of a bundle, with its source: the recorded order, the order of their first commits, or
/// the order of their names.
///
/// Names order only versions with the same stem: `Shop v1.4` and `Shop v1.5` have one stem, `ShopData 5` has another.
public struct VersionSequence: Hashable, Sendable {
  /// The names, oldest first.
  public let names: [String]
  private let places: [String: Evidence]

  /// The evidence for the position of a version.
  private struct Evidence: Hashable {
    let position: Int
    let stem: String
    let isRecorded: Bool
    /// When it was committed first, as a number that grows; nil if that is not known.
    let commit: Int?
  }

  /// A version that is put in its place.
  private struct Entry {
    let name: String
    /// Its position by names alone.
    let rank: Int
    let stem: String
    let commit: Int?
  }

  /// Orders versions.
  ///
  /// - Parameters:
  ///   - currentName: the name of the current version; if only names are known, versions of a different stem precede
  ///     it.
  ///   - recorded: names in the recorded order, oldest first.
  ///   - commits: the times of the first commits of the versions, as growing numbers; nil if they are unknown. A missing
  ///     version was not committed yet.
  public init(
    of names: some Sequence<String>, currentName: String?, recorded: [String] = [], commits: [String: Int]? = nil
  ) {
    let sorted = VersionOrder.sorted(Set(names).union(recorded))
    let stems = sorted.map(Self.stem)
    let settled = commits.map { Self.settled($0, sorted, stems) }
    let all = sorted.indices.map { rank in
      Entry(name: sorted[rank], rank: rank, stem: stems[rank], commit: settled?[rank])
    }
    let ranks = Dictionary(uniqueKeysWithValues: zip(sorted, sorted.indices))
    let isRecorded = Set(recorded)
    let current = currentName.map(Self.stem)
    func key(_ entry: Entry) -> (Int, Int, Int) { (entry.commit ?? 0, entry.stem == current ? 1 : 0, entry.rank) }
    var order = recorded.compactMap { ranks[$0].map { all[$0] } }
    // Those that nothing was recorded of come in order, so that each belongs before recorded ones alone.
    let last = Dictionary(order.map { ($0.stem, $0.rank) }, uniquingKeysWith: max)
    for entry in all.filter({ !isRecorded.contains($0.name) }).sorted(by: { key($0) < key($1) }) {
      let isLast = last[entry.stem].map { $0 < entry.rank } ?? true
      order.insert(entry, at: Self.position(of: entry, isLast: isLast, in: order, current))
    }
    self.names = order.map(\.name)
    var places: [String: Evidence] = [:]
    for (position, entry) in order.enumerated() {
      places[entry.name] = Evidence(
        position: position, stem: entry.stem, isRecorded: isRecorded.contains(entry.name), commit: entry.commit)
    }
    self.places = places
  }

  /// Returns whether one version is older than another; nil if only names with different stems suggest it.
  public func isOrdered(_ first: String, before second: String) -> Bool? {
    guard let left = places[first], let right = places[second] else { return nil }
    let isSure =
      left.stem == right.stem || left.isRecorded && right.isRecorded
      || left.commit != nil && right.commit != nil && left.commit != right.commit
    return isSure ? left.position < right.position : nil
  }

  func sorted(_ versions: [ModelVersion]) -> [ModelVersion] {
    versions.sorted { (places[$0.name]?.position ?? 0) < (places[$1.name]?.position ?? 0) }
  }

  /// True if only names order some of these versions, and the names have several stems.
  package func isGuess(among names: [String]) -> Bool {
    zip(names, names.dropFirst()).contains { isOrdered($0, before: $1) == nil }
  }

  /// The name of a version before its number, without case and separators.
  package static func stem(of name: String) -> String {
    var stem = Substring(name.lowercased().prefix { !($0.isASCII && $0.isNumber) })
    while let last = stem.last, !last.isLetter { stem = stem.dropLast() }
    if stem.count < name.count, stem.hasSuffix("v"), stem.dropLast().last.map({ !$0.isLetter }) ?? true {
      stem = stem.dropLast()
      while let last = stem.last, !last.isLetter { stem = stem.dropLast() }
    }
    return String(stem)
  }

  /// When each version is known to have been there: at latest when a later one of its stem was committed.
  private static func settled(_ commits: [String: Int], _ names: [String], _ stems: [String]) -> [Int] {
    var settled = Array(repeating: Int.max, count: names.count)
    var earliest: [String: Int] = [:]
    for rank in names.indices.reversed() {
      let commit = min(commits[names[rank]] ?? Int.max, earliest[stems[rank]] ?? Int.max)
      (settled[rank], earliest[stems[rank]]) = (commit, commit)
    }
    return settled
  }

  /// The position of a version among other versions.
  ///
  /// - Parameter isLast: true if no version of its stem follows it.
  private static func position(of entry: Entry, isLast: Bool, in order: [Entry], _ current: String?) -> Int {
    if !isLast, let later = order.firstIndex(where: { entry.rank < $0.rank && $0.stem == entry.stem }) { return later }
    let own = order.lastIndex { $0.stem == entry.stem }
    if let commit = entry.commit {
      let earlier = order.lastIndex { ($0.commit ?? 0) <= commit }
      return max(own ?? -1, earlier ?? -1) + 1
    }
    if let own { return own + 1 }
    guard entry.stem != current else { return order.endIndex }
    return order.firstIndex { $0.stem == current } ?? order.endIndex
  }
}

/// The natural order of version names: digits compare as numbers, so “Model 2” precedes “Model 10”.
public enum VersionOrder {
  /// Returns whether the first name precedes the second.
  public static func isOrdered(_ first: String, before second: String) -> Bool { Key(first) < Key(second) }

  /// The elements in the natural order of their names.
  package static func sorted<Element>(_ elements: some Sequence<Element>, by name: (Element) -> String) -> [Element] {
    elements.map { (key: Key(name($0)), element: $0) }.sorted { $0.key < $1.key }.map(\.element)
  }

  package static func sorted(_ names: some Sequence<String>) -> [String] { sorted(names) { $0 } }

  /// A name and its runs.
  private struct Key: Comparable {
    let name: String
    let parts: [Part]

    init(_ name: String) {
      self.name = name
      parts = VersionOrder.parts(name)
    }

    static func < (first: Key, second: Key) -> Bool {
      for (left, right) in zip(first.parts, second.parts) where left != right { return left < right }
      return first.parts.count == second.parts.count
        ? first.name.utf8.lexicographicallyPrecedes(second.name.utf8) : first.parts.count < second.parts.count
    }
  }

  /// A run of digits, or a run of other characters; a number precedes text.
  private enum Part: Comparable {
    case number(length: Int, digits: String)
    case text(String)
  }

  private static func parts(_ name: String) -> [Part] {
    var parts: [Part] = []
    var rest = name.utf8[...]
    while let first = rest.first {
      let isNumber = isDigit(first)
      let run = rest.prefix { isDigit($0) == isNumber }
      rest = rest[run.endIndex...]
      let digits = String(Substring(run.drop { $0 == UInt8(ascii: "0") }))
      parts.append(isNumber ? .number(length: digits.utf8.count, digits: digits) : .text(Substring(run).lowercased()))
    }
    return parts
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
