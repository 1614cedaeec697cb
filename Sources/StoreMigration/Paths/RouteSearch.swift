/// Looks for the fewest hops along a chain of versions on which written mapping models lie.
struct RouteSearch {
  /// The number of versions in the order they are passed, the store's first, the wanted one last.
  let count: Int
  /// Tells whether a written mapping model leads from one position to a later one.
  let leadsWritten: (Int, Int) -> Bool
  /// Tells whether the versions in a row are inferred as one hop.
  let infers: (ClosedRange<Int>) -> Bool

  /// The positions where the hops of the shortest way begin and end.
  ///
  /// Versions in a row are inferred as one hop; a written mapping between two neighbours is never passed over by
  /// inference.
  ///
  /// - Returns: nil when no written mapping lies on the chain, or no way is found.
  func positions() -> [Int]? {
    let edges = writtenEdges()
    guard !edges.isEmpty else { return nil }
    let stops = stops(edges)
    return ShortestWay(count: stops.count) { from, to in
      let (start, end) = (stops[from], stops[to])
      if edges[start, default: []].contains(end) { return true }
      let passesMapping = (start..<end).contains { edges[$0, default: []].contains($0 + 1) }
      return !passesMapping && infers(start...end)
    }.positions()?.map { stops[$0] }
  }

  private func writtenEdges() -> [Int: Set<Int>] {
    var edges: [Int: Set<Int>] = [:]
    for start in 0..<count {
      for end in (0..<count).dropFirst(start + 1) where leadsWritten(start, end) {
        edges[start, default: []].insert(end)
      }
    }
    return edges
  }

  /// The positions where a hop may begin or end: the ends, those of written mappings, and where inference breaks.
  private func stops(_ edges: [Int: Set<Int>]) -> [Int] {
    var stops: Set<Int> = [0, count - 1]
    for (start, ends) in edges { stops.formUnion(ends.union([start])) }
    for position in 0..<max(0, count - 1) where !infers(position...(position + 1)) {
      stops.formUnion([position, position + 1])
    }
    return stops.sorted()
  }
}
