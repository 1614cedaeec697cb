/// Looks for the fewest hops along a chain of versions on which written mapping models lie.
struct RouteSearch {
  /// The later positions that a written mapping model leads to, by the position it starts from: the store's version
  /// first, the wanted one last.
  let edges: [[Int]]
  /// True where the versions in a row are inferred as one hop.
  let infers: (ClosedRange<Int>) -> Bool

  /// The positions where the hops of the shortest way begin and end.
  ///
  /// Versions in a row are inferred as one hop; a written mapping between two neighbours is never passed over by
  /// inference.
  ///
  /// - Returns: nil when no written mapping lies on the chain, or no way is found.
  func positions() -> [Int]? {
    guard edges.contains(where: { !$0.isEmpty }) else { return nil }
    let stops = stops()
    // How many written mappings between neighbours lie before each position.
    var mapped = [0]
    for position in edges.indices { mapped.append(mapped[position] + (edges[position].contains(position + 1) ? 1 : 0)) }
    var numbers = Array(repeating: 0, count: edges.count)
    for (number, stop) in stops.enumerated() { numbers[stop] = number }
    // The last stop that inference may reach from each: no written mapping between neighbours lies between the two.
    var inferred = stops.indices.map { $0 }
    for number in stops.indices.dropLast().reversed() where mapped[stops[number]] == mapped[stops[number + 1]] {
      inferred[number] = inferred[number + 1]
    }
    let reach = stops.indices.map { max(inferred[$0], edges[stops[$0]].max().map { numbers[$0] } ?? 0) }
    return ShortestWay(count: stops.count, reach: { reach[$0] }) { from, to in
      let (start, end) = (stops[from], stops[to])
      return edges[start].contains(end) || mapped[start] == mapped[end] && infers(start...end)
    }.positions()?.map { stops[$0] }
  }

  /// The positions where a hop may begin or end: the ends, those of written mappings, and where inference breaks.
  private func stops() -> [Int] {
    var isStop = edges.map { !$0.isEmpty }
    (isStop[0], isStop[edges.count - 1]) = (true, true)
    for end in edges.joined() { isStop[end] = true }
    for position in edges.indices.dropLast() where !infers(position...(position + 1)) {
      (isStop[position], isStop[position + 1]) = (true, true)
    }
    return isStop.indices.filter { isStop[$0] }
  }
}

/// How far one gets along a chain by single steps between neighbours and by written mapping models.
enum ReachedPosition {
  /// The last position that is reached from the first.
  ///
  /// - Parameters:
  ///   - count: the number of positions.
  ///   - leads: true where a step leads from a position to the next one.
  ///   - edges: the positions that written mapping models lead to from one.
  static func last(count: Int, leads: (Int) -> Bool, edges: (Int) -> [Int]) -> Int {
    var isReached = (0..<count).map { $0 == 0 }
    for position in 0..<count where isReached[position] {
      if position + 1 < count, leads(position) { isReached[position + 1] = true }
      for end in edges(position) where end > position { isReached[end] = true }
    }
    return isReached.lastIndex(of: true) ?? 0
  }
}

/// The way with the fewest steps along a chain, each to a later position.
struct ShortestWay {
  /// The number of positions of the chain.
  let count: Int
  /// The last position that one step from a position may lead to; those beyond it are not asked about.
  let reach: (Int) -> Int
  /// Tells whether one step leads from a position to a later one.
  let leads: (Int, Int) -> Bool

  init(count: Int, reach: @escaping (Int) -> Int = { _ in .max }, leads: @escaping (Int, Int) -> Bool) {
    (self.count, self.reach, self.leads) = (count, reach, leads)
  }

  /// The positions on the way, the first and the last included; the longest steps are tried first.
  ///
  /// - Parameter accepts: asked about each way found, until it accepts one; of several ways to a position between only
  ///   the first is continued.
  /// - Returns: nil when there is no way.
  func positions(accepting accepts: ([Int]) -> Bool = { _ in true }) -> [Int]? {
    var predecessors = [Int?](repeating: nil, count: count)
    var layer = [0]
    while !layer.isEmpty {
      var next: [Int] = []
      for last in layer {
        let limit = min(reach(last), count - 1)
        for position in stride(from: limit, to: last, by: -1) where predecessors[position] == nil {
          guard leads(last, position) else { continue }
          guard position < count - 1 else {
            let way = Self.way(to: last, predecessors) + [position]
            if accepts(way) { return way }
            continue
          }
          predecessors[position] = last
          next.append(position)
        }
      }
      layer = next
    }
    return nil
  }

  private static func way(to position: Int, _ predecessors: [Int?]) -> [Int] {
    var way = [position]
    while let last = way.last, let before = predecessors[last] { way.append(before) }
    return way.reversed()
  }
}
