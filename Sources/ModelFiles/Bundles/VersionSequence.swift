/// The order in which the versions of a bundle came, by what says so: what was recorded, else when each was committed
/// first, else the names.
///
/// Names say it only among versions of one stem: `Shop v1.4` and `Shop v1.5` have one, `ShopData 5` has another.
public struct VersionSequence: Hashable, Sendable {
  /// The names, oldest first.
  public let names: [String]
  private let places: [String: Place]

  /// What says where a version stands.
  private struct Place: Hashable {
    let position: Int
    let stem: String
    let isRecorded: Bool
    /// When it was committed first, as a number that grows; nil when that is not known.
    let commit: Int?
  }

  /// Puts versions in order.
  ///
  /// - Parameters:
  ///   - names: the versions' names.
  ///   - currentName: the name of the current version; where nothing but names is known, versions of another stem come
  ///     before it.
  ///   - recorded: names in the order that was recorded, oldest first.
  ///   - commits: when each version was committed first, as numbers that grow; nil when that is not known, and a version
  ///     that is missing was not committed yet.
  public init(
    of names: some Sequence<String>, currentName: String?, recorded: [String] = [], commits: [String: Int]? = nil
  ) {
    let stems = Dictionary(Set(names).union(recorded).map { ($0, Self.stem(of: $0)) }) { first, _ in first }
    let commits = commits.map { Self.settled($0, stems) }
    let current = currentName.map(Self.stem)
    func key(_ name: String, _ offset: Int) -> (Int, Int, Int) {
      (commits?[name] ?? 0, stems[name] == current ? 1 : 0, offset)
    }
    let isRecorded = Set(recorded)
    var order = recorded
    let others = VersionOrder.sorted(Set(names).subtracting(isRecorded)).enumerated()
      .sorted { key($0.element, $0.offset) < key($1.element, $1.offset) }.map(\.element)
    for name in others {
      order.insert(name, at: Self.position(of: name, in: order, stems, commits, current))
    }
    self.names = order
    var places: [String: Place] = [:]
    for (position, name) in order.enumerated() {
      places[name] = Place(
        position: position, stem: stems[name] ?? "", isRecorded: isRecorded.contains(name), commit: commits?[name])
    }
    self.places = places
  }

  /// Whether one version came before another; nil when only names of two stems say so.
  public func isOrdered(_ first: String, before second: String) -> Bool? {
    guard let left = places[first], let right = places[second] else { return nil }
    let isSure =
      left.stem == right.stem || left.isRecorded && right.isRecorded
      || left.commit != nil && right.commit != nil && left.commit != right.commit
    return isSure ? left.position < right.position : nil
  }

  /// The versions in this order.
  func sorted(_ versions: [ModelVersion]) -> [ModelVersion] {
    versions.sorted { (places[$0.name]?.position ?? 0) < (places[$1.name]?.position ?? 0) }
  }

  /// True when names alone say the order of some of these versions, and they have several stems.
  package func isGuess(among names: [String]) -> Bool {
    zip(names, names.dropFirst()).contains { isOrdered($0, before: $1) == nil }
  }

  /// What a version is called before its number, without case and separators.
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
  private static func settled(_ commits: [String: Int], _ stems: [String: String]) -> [String: Int] {
    var settled: [String: Int] = [:]
    var earliest: [String: Int] = [:]
    for name in VersionOrder.sorted(stems.keys).reversed() {
      let stem = stems[name] ?? ""
      let commit = min(commits[name] ?? Int.max, earliest[stem] ?? Int.max)
      (settled[name], earliest[stem]) = (commit, commit)
    }
    return settled
  }

  /// Where a version belongs among others.
  private static func position(
    of name: String, in order: [String], _ stems: [String: String], _ commits: [String: Int]?, _ current: String?
  ) -> Int {
    let stem = stems[name]
    if let later = order.firstIndex(where: { stems[$0] == stem && VersionOrder.isOrdered(name, before: $0) }) {
      return later
    }
    let own = order.lastIndex { stems[$0] == stem }
    if let commits, let commit = commits[name] {
      let earlier = order.lastIndex { (commits[$0] ?? 0) <= commit }
      return max(own ?? -1, earlier ?? -1) + 1
    }
    if let own { return own + 1 }
    guard stem != current else { return order.endIndex }
    return order.firstIndex { stems[$0] == current } ?? order.endIndex
  }
}
