import ModelDescription

/// How many rows every entity gets, so that each can have the links that relationships require.
///
/// As many as asked for, but fewer where objects at the other end would be too few for a least or greatest count.
struct RowCounts {
  private let hierarchy: EntityHierarchy
  private(set) var counts: [String: Int] = [:]

  /// How often the relationships are gone through: counts that depend on each other in a circle are given up.
  private static let rounds = 8
  /// The greatest count of links that is looked at, so that no product overflows.
  private static let mostLinks = 1 << 16

  init(hierarchy: EntityHierarchy, rowsPerEntity: Int) {
    self.hierarchy = hierarchy
    for entity in hierarchy.model.entities where !entity.isAbstract { counts[entity.name] = rowsPerEntity }
    guard rowsPerEntity > 0 else { return }
    let ends = hierarchy.model.entities.flatMap { entity in
      entity.relationships.compactMap { RelationshipEnds($0, declaredBy: entity.name, in: hierarchy) }
    }.filter(\.limitsRows)
    for _ in 0..<Self.rounds where !ends.isEmpty {
      let former = counts
      for end in ends { limit(end) }
      if former == counts { break }
    }
  }

  /// Makes rows fewer at one end where the other cannot link all of them.
  private mutating func limit(_ ends: RelationshipEnds) {
    guard let inverse = ends.inverse?.relationship, !ends.isReflexive else { return }
    let (near, far) = (rows(of: ends.address.entity), rows(of: ends.destination.name))
    guard near > 0, far > 0 else { return }
    let least = min(ends.relationship.leastLinks, Self.mostLinks)
    guard least > 0 else { return }
    // Each object at the far end has at most so many links.
    let most = inverse.isToMany ? min(inverse.maxCount, Self.mostLinks) : 1
    guard most > 0, near * least > far * most else { return }
    scale(ends.address.entity, by: Double(far * most) / Double(near * least))
  }

  private func rows(of entity: String) -> Int {
    hierarchy.family(of: entity).reduce(0) { $0 + counts[$1.name, default: 0] }
  }

  private mutating func scale(_ entity: String, by factor: Double) {
    for member in hierarchy.family(of: entity) {
      guard let count = counts[member.name] else { continue }
      counts[member.name] = max(1, Int(Double(count) * factor))
    }
  }
}

extension RelationshipEnds {
  /// True when an end can ask for more links than the other can have.
  fileprivate var limitsRows: Bool { relationship.leastLinks > 0 && inverse != nil }
}
