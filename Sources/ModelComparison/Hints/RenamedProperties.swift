import ModelDescription

/// Finds the removed and added properties of an entity that look like a rename.
///
/// The kind and type of both must be equal, and the names must be similar or the settings equal. The names, the
/// positions among the kept properties, and the other settings count with weights. A pair that reaches a threshold looks like a rename, unless a different pair is as similar.
struct RenamedProperties {
  /// A removed or added property.
  struct Candidate {
    let name: String
    /// The type of an attribute, or the cardinality and destination of a relationship.
    let shape: String
    /// The other settings: its optional flag, default value, limits and inverse.
    let settings: [String]
    /// The kept properties before and after it, by their names in the destination; nil if there is none.
    let neighbours: [String?]
    /// The number of candidates before it between the same neighbours.
    fileprivate var rank = 0
    fileprivate let likeness: NameLikeness

    init(name: String, shape: String, settings: [String], neighbours: [String?]) {
      (self.name, self.shape, self.settings, self.neighbours) = (name, shape, settings, neighbours)
      likeness = NameLikeness(name)
    }
  }

  /// The points that a pair must reach; two names with the same words have 100.
  private static let threshold = 70
  /// The maximum number of compared pairs of one shape; with more pairs, the two entities are unrelated.
  private static let comparisonLimit = 10_000

  private let removed: [Candidate]
  private let added: [Candidate]
  private let isSorted: Bool
  /// The neighbours with equal numbers of removed and added properties between them.
  private let exchanges: Set<[String?]>

  /// Takes the properties of a single entity, each list in its order in the model.
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
    // The position alone does not show a rename.
    guard score > 0 || old.settings == new.settings else { return 0 }
    if old.neighbours == new.neighbours, old.rank == new.rank, exchanges.contains(old.neighbours) {
      // If names decide the order, an added property can have the position of any removed property.
      score += isSorted ? 45 : 75
      if removed.count == 1 && added.count == 1 { score += 25 }
    }
    return old.settings == new.settings ? score : score - 10
  }
}

/// The removed or added properties of an entity, with the facts for their comparison.
struct PropertyCandidates {
  /// The properties with stored values; derived attributes are left out.
  private(set) var candidates: [RenamedProperties.Candidate] = []
  /// True if the attributes and the relationships are in the order of their names, as Xcode writes them.
  ///
  /// False if there are too few properties to decide.
  let isSorted: Bool

  /// Takes the properties of an entity.
  ///
  /// - Parameters:
  ///   - changed: the names of the removed or added properties.
  ///   - staying: returns the name in the destination of a kept property; nil for any other property.
  init(of entity: EntityDescription, changed: Set<String>, staying: (String) -> String?, linked: (String) -> String?) {
    let names = (entity.attributes.map(\.name), entity.relationships.map(\.name))
    isSorted = Self.areSorted(names.0) && Self.areSorted(names.1) && max(names.0.count, names.1.count) > 1
    let attributeNeighbours = Self.neighbours(of: names.0, staying)
    for (attribute, neighbours) in zip(entity.attributes, attributeNeighbours)
    where changed.contains(attribute.name) && attribute.derivation == nil {
      let settings = [
        "\(attribute.isOptional)", "\(attribute.isTransient)", attribute.defaultValue.map { "\($0)" } ?? "",
        "\(attribute.validation)", attribute.valueTransformerName ?? "", attribute.valueClassName ?? "",
      ]
      candidates.append(
        RenamedProperties.Candidate(
          name: attribute.name, shape: attribute.type.name, settings: settings, neighbours: neighbours))
    }
    let relationshipNeighbours = Self.neighbours(of: names.1, staying)
    for (relationship, neighbours) in zip(entity.relationships, relationshipNeighbours)
    where changed.contains(relationship.name) {
      guard let destination = relationship.destinationEntityName.flatMap(linked) else { continue }
      let settings = [
        "\(relationship.isOptional)", "\(relationship.deleteRule)", relationship.inverseName ?? "",
        "\(relationship.isOrdered)",
      ]
      candidates.append(
        RenamedProperties.Candidate(
          name: relationship.name, shape: "\(relationship.isToMany ? "to-many" : "to-one") \(destination)",
          settings: settings, neighbours: neighbours))
    }
  }

  private static func areSorted(_ names: [String]) -> Bool {
    zip(names, names.dropFirst()).allSatisfy { $0.lowercased() <= $1.lowercased() }
  }

  /// The kept properties before and after each name.
  private static func neighbours(of names: [String], _ staying: (String) -> String?) -> [[String?]] {
    let kept = names.map(staying)
    var before: [String?] = []
    var last: String?
    for name in kept {
      before.append(last)
      last = name ?? last
    }
    var after: [String?] = []
    last = nil
    for name in kept.reversed() {
      after.append(last)
      last = name ?? last
    }
    return zip(before, after.reversed()).map { [$0, $1] }
  }
}
