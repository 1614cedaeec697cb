/// The way with the fewest steps along a chain, each to a later position.
struct ShortestWay {
  /// The number of positions of the chain.
  let count: Int
  /// Tells whether one step leads from a position to a later one.
  let leads: (Int, Int) -> Bool

  /// The positions on the way, the first and the last included; the longest steps are tried first.
  ///
  /// - Parameter accepts: asked about every way found; the search goes on when it declines.
  /// - Returns: nil when there is no way.
  func positions(accepting accepts: ([Int]) -> Bool = { _ in true }) -> [Int]? {
    var ways: [[Int]] = [[0]]
    var seen: Set<Int> = [0]
    while !ways.isEmpty {
      var next: [[Int]] = []
      for way in ways {
        guard let last = way.last else { continue }
        for position in (0..<count).dropFirst(last + 1).reversed() where !seen.contains(position) {
          guard leads(last, position) else { continue }
          let longer = way + [position]
          if position == count - 1, accepts(longer) { return longer }
          seen.insert(position)
          next.append(longer)
        }
      }
      ways = next
    }
    return nil
  }
}
