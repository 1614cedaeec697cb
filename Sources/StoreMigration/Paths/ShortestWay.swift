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
  /// - Parameter accepts: asked about each way found, until it accepts one; of several ways to a position between only the
  ///   first is continued.
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
