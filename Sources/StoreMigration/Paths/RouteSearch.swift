import MappingModels
import PersistentStores

/// Looks for the fewest hops along a chain of versions on which written mapping models lie.
struct RouteSearch {
  /// The versions in the order they are passed, the store's first, the wanted one last.
  let chain: [KnownVersion]
  let memory: MappingMemory
  let written: WrittenMappings

  /// The hops of the shortest way that uses a written mapping model.
  ///
  /// Versions in a row are inferred as one hop; a written mapping between two neighbours is never passed over by
  /// inference.
  ///
  /// - Returns: nil when no written mapping lies on the chain, or no way is found.
  /// - Throws: ``MigrationRefusal`` when several mapping models lead the same way.
  func hops() throws -> [MigrationHop]? {
    let edges = writtenEdges()
    guard !edges.isEmpty else { return nil }
    let stops = stops(edges)
    var ways: [[Int]] = [[0]]
    var seen: Set<Int> = [0]
    while !ways.isEmpty {
      var next: [[Int]] = []
      for way in ways {
        guard let last = way.last else { continue }
        for stop in stops.reversed() where stop > last && !seen.contains(stop) {
          guard edges[last, default: []].contains(stop) || inferred(last, stop, edges) != nil else { continue }
          let longer = way + [stop]
          if stop == chain.count - 1 { return try hops(along: longer, edges) }
          seen.insert(stop)
          next.append(longer)
        }
      }
      ways = next
    }
    return nil
  }

  private func writtenEdges() -> [Int: Set<Int>] {
    var edges: [Int: Set<Int>] = [:]
    for start in chain.indices {
      for end in chain.indices.dropFirst(start + 1) where written.lead(from: chain[start], to: chain[end]) {
        edges[start, default: []].insert(end)
      }
    }
    return edges
  }

  /// The positions where a hop may begin or end: the ends, those of written mappings, and where inference breaks.
  private func stops(_ edges: [Int: Set<Int>]) -> [Int] {
    var stops: Set<Int> = [0, chain.count - 1]
    for (start, ends) in edges { stops.formUnion(ends.union([start])) }
    for position in chain.indices.dropLast()
    where (try? memory.step(from: chain[position], to: chain[position + 1])) == nil {
      stops.formUnion([position, position + 1])
    }
    return stops.sorted()
  }

  private func inferred(_ start: Int, _ end: Int, _ edges: [Int: Set<Int>]) -> MappingModel? {
    guard !(start..<end).contains(where: { edges[$0, default: []].contains($0 + 1) }) else { return nil }
    return try? memory.chain(Array(chain[start...end]))
  }

  private func hops(along way: [Int], _ edges: [Int: Set<Int>]) throws -> [MigrationHop]? {
    var hops: [MigrationHop] = []
    for (start, end) in zip(way, way.dropFirst()) {
      let (source, destination) = (chain[start], chain[end])
      if let mapping = try written.mapping(from: source, to: destination) {
        hops.append(MigrationHop([], from: source, to: destination, by: .written(mapping)))
      } else if let mapping = inferred(start, end, edges) {
        let between = Array(chain[(start + 1)..<end])
        hops.append(MigrationHop(between, from: source, to: destination, by: .inferred(mapping)))
      } else {
        return nil
      }
    }
    return hops
  }
}
