import ModelDescription

/// Decides which of the properties that go and come at one entity look like one.
///
/// The kind and type of both must be the same. Then the names, the place among the properties that stay, and the other
/// settings count, each with a weight; what reaches a threshold looks like one, unless another is as like.
struct RenamedProperties {
  /// A property that goes or comes.
  struct Candidate {
    let name: String
    /// The type, or whether it is to-many and where it leads.
    let shape: String
    /// What else it says: whether it is optional, its default value, its limits, its inverse.
    let settings: [String]
    /// The properties that stay before and after it, by their names in the destination; nil for none.
    let neighbours: [String?]
    /// How many that go or come stand between the same neighbours before it.
    fileprivate var rank = 0
    fileprivate let likeness: NameLikeness

    init(name: String, shape: String, settings: [String], neighbours: [String?]) {
      (self.name, self.shape, self.settings, self.neighbours) = (name, shape, settings, neighbours)
      likeness = NameLikeness(name)
    }
  }

  /// The points that a pair must reach; two names of the same words have 100.
  private static let threshold = 70
  /// The most pairs of one shape that are compared; beyond that the entity is another one.
  private static let comparisonLimit = 10_000

  private let removed: [Candidate]
  private let added: [Candidate]
  private let isSorted: Bool
  /// The neighbours between which as many go as come.
  private let exchanges: Set<[String?]>

  /// Takes the properties of one entity, each list in its order in the model.
  ///
  /// - Parameters:
  ///   - removed: those that go.
  ///   - added: those that come.
  ///   - isSorted: whether the properties stand in the order of their names, so that the name decides the place.
  init(removed: [Candidate], added: [Candidate], isSorted: Bool) {
    let (old, new) = (Self.ranked(removed), Self.ranked(added))
    (self.removed, self.added, self.isSorted) = (old.candidates, new.candidates, isSorted)
    exchanges = Set(old.counts.filter { new.counts[$0.key] == $0.value }.keys)
  }

  private static func ranked(_ candidates: [Candidate]) -> (candidates: [Candidate], counts: [[String?]: Int]) {
    var counts: [[String?]: Int] = [:]
    let ranked = candidates.map { candidate in
      var candidate = candidate
      candidate.rank = counts[candidate.neighbours, default: 0]
      counts[candidate.neighbours, default: 0] += 1
      return candidate
    }
    return (ranked, counts)
  }

  /// The pairs that look like one.
  func pairs() -> [(removed: Candidate, added: Candidate)] {
    let removedByShape = Dictionary(grouping: removed, by: \.shape)
    return Dictionary(grouping: added, by: \.shape).flatMap { shape, added in
      pairs(of: removedByShape[shape] ?? [], added)
    }.sorted { $0.added.name < $1.added.name }
  }

  private func pairs(of removed: [Candidate], _ added: [Candidate]) -> [(removed: Candidate, added: Candidate)] {
    guard removed.count * added.count <= Self.comparisonLimit else { return [] }
    let scores = removed.map { old in added.map { score(old, $0) } }
    return added.indices.compactMap { column in
      let ranked = removed.indices.sorted { scores[$0][column] > scores[$1][column] }
      guard let row = ranked.first, scores[row][column] >= Self.threshold else { return nil }
      let best = scores[row][column]
      let isUnique =
        removed.indices.allSatisfy { $0 == row || scores[$0][column] < best }
        && added.indices.allSatisfy { $0 == column || scores[row][$0] < best }
      return isUnique ? (removed[row], added[column]) : nil
    }
  }

  private func score(_ old: Candidate, _ new: Candidate) -> Int {
    var score = Int(old.likeness.share(with: new.likeness) * 100)
    if old.neighbours == new.neighbours, old.rank == new.rank, exchanges.contains(old.neighbours) {
      // Where names decide the order, a property that comes can stand in the place of any other.
      score += isSorted ? 45 : 75
      if removed.count == 1 && added.count == 1 { score += 25 }
    }
    return old.settings == new.settings ? score : score - 10
  }
}
