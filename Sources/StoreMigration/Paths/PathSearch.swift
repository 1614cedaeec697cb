/// Finds the path with the fewest parts along a chain of versions that have custom mapping models.
struct PathSearch {
  /// The later positions that custom mapping models reach from each position; the store's version is first, the
  /// destination last.
  let edges: [[Int]]
  /// True if the versions in a row are inferred as one part.
  let infers: (ClosedRange<Int>) -> Bool

  /// The positions at which the parts of the shortest path begin and end.
  ///
  /// Versions in a row are inferred as one part; inference never skips a custom mapping between two neighbours.
  ///
  /// - Returns: nil if the chain has no custom mapping, or if no path is found.
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
    return ShortestPath(count: stops.count, reach: { reach[$0] }) { from, to in
      let (start, end) = (stops[from], stops[to])
      return edges[start].contains(end) || mapped[start] == mapped[end] && infers(start...end)
    }.positions()?.map { stops[$0] }
  }

  /// The possible ends of parts: the ends of the chain and of custom mappings, and steps that cannot be inferred.
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

/// The positions of a chain that single steps between neighbours and custom mapping models reach.
enum ReachedPosition {
  /// The last position that can be reached from the first.
  ///
  /// - Parameters:
  ///   - count: the number of positions.
  ///   - leads: returns true if a step is possible from a position to the next.
  ///   - edges: returns the positions that custom mapping models reach from a position.
  static func last(count: Int, leads: (Int) -> Bool, edges: (Int) -> [Int]) -> Int {
    var isReached = (0..<count).map { $0 == 0 }
    for position in 0..<count where isReached[position] {
      if position + 1 < count, leads(position) { isReached[position + 1] = true }
      for end in edges(position) where end > position { isReached[end] = true }
    }
    return isReached.lastIndex(of: true) ?? 0
  }
}

/// Finds the path with the fewest steps along a chain, each to a later position.
struct ShortestPath {
  /// The number of positions of the chain.
  let count: Int
  /// The last position that one step from a position may reach; later positions are not tried.
  let reach: (Int) -> Int
  /// Returns true if one step is possible from a position to a later position.
  let leads: (Int, Int) -> Bool

  init(count: Int, reach: @escaping (Int) -> Int = { _ in .max }, leads: @escaping (Int, Int) -> Bool) {
    (self.count, self.reach, self.leads) = (count, reach, leads)
  }

  /// The positions on the path, including the first and the last; the longest steps are tried first.
  ///
  /// - Parameter accepts: receives each path found, until it accepts a path; of several paths to a position in between,
  ///   only the first is continued.
  /// - Returns: nil if there is no path.
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
            let path = Self.path(to: last, predecessors) + [position]
            if accepts(path) { return path }
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

  private static func path(to position: Int, _ predecessors: [Int?]) -> [Int] {
    var path = [position]
    while let last = path.last, let before = predecessors[last] { path.append(before) }
    return path.reversed()
  }
}
