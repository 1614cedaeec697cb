public import MappingModels
public import PersistentStores
import VersionHashing

/// Whether and how every version of a bundle is reached from every other.
///
/// It asks no store: what the rows may stand in the way of is not looked at. Nothing is composed, because a way is
/// possible when each of its steps is; so the reachability of one version from ninety others takes milliseconds.
public struct MigrationMatrix: Sendable {
  /// The versions in the order of the bundle, oldest first.
  public let versions: [KnownVersion]
  private let graph: VersionGraph
  private let written: WrittenMappings
  /// The positions that a written mapping model leads to, usable or not, by the position it starts from.
  private let edges: [Int: Set<Int>]

  /// Indexes the versions.
  ///
  /// - Parameters:
  ///   - versions: one bundle's versions, oldest first.
  ///   - mappings: the written mapping models, each preferred to inference.
  ///   - unusable: mapping models that cannot be used; a way on which one lies is impossible, as it is for a migration.
  public init(of versions: [KnownVersion], mappings: [KnownMapping] = [], unusable: [UnusableMapping] = []) {
    self.versions = versions
    graph = VersionGraph(versions)
    written = WrittenMappings(mappings, unusable: unusable)
    let places = VersionPlaces(versions)
    var edges: [Int: Set<Int>] = [:]
    for (source, destination) in written.ends {
      for start in places.positions(of: source) {
        edges[start, default: []].formUnion(places.positions(of: destination))
      }
      for start in versions.indices where versions[start].parts.contains(where: { $0.isSame(as: source) }) {
        let ends = versions.indices.filter { end in
          guard versions[end].parts.contains(where: { $0.isSame(as: destination) }) else { return false }
          return versions[end].changedPart(since: versions[start])?.source.isSame(as: source) ?? false
        }
        edges[start, default: []].formUnion(ends)
      }
    }
    self.edges = edges
  }

  /// The verdicts about every older version.
  ///
  /// - Parameter destination: the version to reach, one of ``versions``.
  /// - Returns: one verdict for each version before it, oldest first; none when it is not among the versions.
  public func verdicts(to destination: KnownVersion) -> [MigrationVerdict] {
    guard let end = position(of: destination) else { return [] }
    return (0..<end).map { verdict(from: $0, to: end) }
  }

  /// The verdicts about all pairs, ordered by the source's place and then the destination's.
  ///
  /// - Parameter includingDowngrades: true for the pairs from a newer version to an older one as well.
  /// - Returns: one verdict for each pair.
  public func verdicts(includingDowngrades: Bool = false) -> [MigrationVerdict] {
    versions.indices.flatMap { start in
      versions.indices.filter { includingDowngrades ? $0 != start : $0 > start }.map { verdict(from: start, to: $0) }
    }
  }

  /// The verdict about one pair, nil when one of the two is not among the versions.
  public func verdict(from source: KnownVersion, to destination: KnownVersion) -> MigrationVerdict? {
    guard let start = position(of: source), let end = position(of: destination) else { return nil }
    return verdict(from: start, to: end)
  }

  /// Why Core Data's automatic migration does not go straight from one version to another, nil where it does.
  public func inferenceFailure(from source: KnownVersion, to destination: KnownVersion) -> InferenceFailure? {
    guard let start = position(of: source), let end = position(of: destination) else { return nil }
    return graph.failure(from: start, to: end)
  }

  private func position(of version: KnownVersion) -> Int? {
    versions.firstIndex { $0.name == version.name && $0.bundle == version.bundle }
  }
}

extension MigrationMatrix {
  private func verdict(from start: Int, to end: Int) -> MigrationVerdict {
    guard graph.identities[start] != graph.identities[end] else { return verdict(start, end, .same) }
    let between = graph.positions(between: start, and: end)
    do {
      if let way = try writtenWay(from: start, to: end, passing: between) {
        return verdict(start, end, .mapped, steps: way)
      }
    } catch {
      return verdict(start, end, .impossible, obstacle: error.obstacle)
    }
    let chain = [start] + between + [end]
    if graph.leads(from: start, to: end) { return verdict(start, end, .lightweight, steps: inferred([start, end])) }
    if let way = shortestWay(along: chain) { return verdict(start, end, .staged, steps: inferred(way)) }
    return verdict(start, end, .impossible, obstacle: brokenStep(of: chain))
  }

  private func verdict(
    _ start: Int, _ end: Int, _ kind: MigrationVerdict.Kind, steps: [MigrationVerdict.Step] = [],
    obstacle: MigrationVerdict.Break? = nil
  ) -> MigrationVerdict {
    MigrationVerdict(
      source: versions[start], destination: versions[end], kind: kind, steps: steps, obstacle: obstacle,
      isInferable: graph.leads(from: start, to: end))
  }

  /// The fewest inferred steps along a chain.
  private func shortestWay(along chain: [Int]) -> [Int]? {
    ShortestWay(count: chain.count) { graph.leads(from: chain[$0], to: chain[$1]) }.positions()?.map { chain[$0] }
  }

  private func inferred(_ way: [Int]) -> [MigrationVerdict.Step] {
    zip(way, way.dropFirst()).map {
      MigrationVerdict.Step(source: versions[$0], destination: versions[$1], mappingPath: nil)
    }
  }

  /// The first step between neighbours that nothing leads over, with the reason.
  private func brokenStep(of chain: [Int]) -> MigrationVerdict.Break? {
    for (start, end) in zip(chain, chain.dropFirst()) {
      guard let failure = graph.failure(from: start, to: end) else { continue }
      return MigrationVerdict.Break(source: versions[start], destination: versions[end], reason: "\(failure)")
    }
    return nil
  }
}

extension MigrationMatrix {
  /// A mapping model on the way that cannot be used.
  private struct UnusableStep: Error {
    let obstacle: MigrationVerdict.Break
  }

  /// The way that a migration takes because of a written mapping model, nil when it takes none.
  private func writtenWay(
    from start: Int, to end: Int, passing between: [Int]
  ) throws(UnusableStep) -> [MigrationVerdict.Step]? {
    guard !edges.isEmpty else { return nil }
    if edges[start, default: []].contains(end) { return try [step(from: start, to: end)] }
    let all = between.isEmpty ? graph.positions(between: end, and: start).reversed() : between
    let chain = [start] + all + [end]
    let search = RouteSearch(
      count: chain.count, leadsWritten: { edges[chain[$0], default: []].contains(chain[$1]) },
      infers: { range in
        zip(range, range.dropFirst()).allSatisfy { graph.leads(from: chain[$0], to: chain[$1]) }
      })
    guard let way = search.positions() else { return nil }
    var steps: [MigrationVerdict.Step] = []
    for (first, last) in zip(way, way.dropFirst()) {
      let run = Array(chain[first...last])
      if edges[chain[first], default: []].contains(chain[last]) {
        steps.append(try step(from: chain[first], to: chain[last]))
      } else {
        steps += inferred(shortestWay(along: run) ?? run)
      }
    }
    return steps.contains { $0.mappingPath != nil } ? steps : nil
  }

  private func step(from start: Int, to end: Int) throws(UnusableStep) -> MigrationVerdict.Step {
    let (source, destination) = (versions[start], versions[end])
    do {
      let mapping = try written.mapping(from: source, to: destination)
      return MigrationVerdict.Step(source: source, destination: destination, mappingPath: mapping?.path)
    } catch .severalMappings(let paths, _, _) {
      // Which of them is taken only a migration asks.
      return MigrationVerdict.Step(source: source, destination: destination, mappingPath: paths.first)
    } catch {
      throw UnusableStep(
        obstacle: MigrationVerdict.Break(source: source, destination: destination, reason: "\(error)"))
    }
  }
}

/// Where versions of the same hashes, or of the same name in the same bundle, stand in a list.
private struct VersionPlaces {
  private struct Name: Hashable {
    let bundle: String
    let version: String
  }

  private let byHashes: [VersionHashes: [Int]]
  private let byName: [Name: [Int]]

  init(_ versions: [KnownVersion]) {
    byHashes = Dictionary(grouping: versions.indices) { versions[$0].versionHashes }
    byName = Dictionary(grouping: versions.indices) { Name(bundle: versions[$0].bundle, version: versions[$0].name) }
  }

  func positions(of version: KnownVersion) -> Set<Int> {
    let named = version.bundle.isEmpty ? [] : byName[Name(bundle: version.bundle, version: version.name)] ?? []
    return Set(named).union(byHashes[version.versionHashes] ?? [])
  }
}

extension KnownVersion {
  /// True for a version of the same hashes, or of the same name in the same bundle.
  fileprivate func isSame(as other: KnownVersion) -> Bool {
    name == other.name && bundle == other.bundle && !bundle.isEmpty || versionHashes == other.versionHashes
  }
}
