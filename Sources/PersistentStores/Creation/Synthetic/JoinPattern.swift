import ModelDescription

/// The rows of a join table, by arithmetic alone: each source has the same number of destinations, evenly spread.
struct JoinPattern {
  /// A row of a join table.
  struct Link {
    let source: Int
    let destination: Int
    /// The place of the source among the destination's, from 0.
    let sourceRank: Int
    /// The place of the destination among the source's, from 0.
    let destinationRank: Int
  }

  private let sources: RowRange
  private let destinations: RowRange
  private let degree: Int
  private let isReflexive: Bool
  /// How many sources have destinations.
  private let linkedSources: Int

  /// How many rows there are.
  var count: Int { linkedSources * degree }

  init(_ ends: RelationshipEnds, space: RowSpace) {
    sources = space.rows(of: ends.address.entity)
    destinations = space.rows(of: ends.destination.name)
    isReflexive = ends.isReflexive
    guard destinations.count > 0, let inverse = ends.inverse?.relationship else {
      (degree, linkedSources) = (0, 0)
      return
    }
    if isReflexive {
      let least = min(ends.relationship.leastLinks, sources.count)
      degree = min(max(2, least + least % 2), sources.count - 1)
      linkedSources = sources.count
      return
    }
    let least = min(ends.relationship.leastLinks, destinations.count)
    let inverseLeast = min(inverse.leastLinks, sources.count)
    let shared = sources.count > 0 ? (inverseLeast * destinations.count + sources.count - 1) / sources.count : 0
    let wanted = max(2, least, shared)
    let most = min(ends.relationship.maxCount > 0 ? ends.relationship.maxCount : wanted, destinations.count)
    var degree = max(1, min(most, wanted))
    let capacity = destinations.capacity(forEach: inverse.maxCount)
    if sources.count > 0, capacity / sources.count >= max(1, least) { degree = min(degree, capacity / sources.count) }
    self.degree = degree
    linkedSources = min(sources.count, capacity / degree)
  }

  /// The row at a position below ``count``.
  func link(at position: Int) -> Link {
    let source = position / degree
    let place = position % degree
    if isReflexive {
      let step = place % 2 == 0 ? place / 2 + 1 : sources.count - place / 2 - 1
      return Link(
        source: sources.primaryKey(at: source), destination: sources.primaryKey(at: (source + step) % sources.count),
        sourceRank: place, destinationRank: place)
    }
    return Link(
      source: sources.primaryKey(at: source),
      destination: destinations.primaryKey(at: (position + 1) % destinations.count),
      sourceRank: (position + 1) / destinations.count, destinationRank: place)
  }
}
