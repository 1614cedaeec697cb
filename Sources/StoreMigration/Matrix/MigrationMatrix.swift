public import MappingModels
import ModelDescription
public import ModelFiles
import VersionHashing

/// The migration paths between all versions of a bundle.
///
/// It uses only the models and ignores rows, which may still block a migration. It composes no mappings, because a path is
/// possible if each of its steps is; so it takes milliseconds for a version with ninety older versions.
public struct MigrationMatrix: Sendable {
  /// The versions in the order of the bundle, oldest first.
  public let versions: [LoadedVersion]
  private let graph: VersionGraph
  private let mappings: [KnownMapping]
  private let known = OncePerKey<Int, [MigrationVerdict]>()
  private let stopCache = Once<[Int]>()
  /// The positions that a custom mapping model leads to, usable or not, by the position it starts from.
  private let edges: [[Int]]
  /// The first position that a written mapping model leads up to from a position or a later one; beyond all where none does.
  private let firstEnds: [Int]
  /// The steps over these mapping models.
  private let steps: [Pair: Result<MigrationVerdict.Step, UnusableStep>]

  /// Indexes the versions.
  ///
  /// - Parameters:
  ///   - mappings: the custom mapping models, each preferred to inference.
  ///   - unusable: mapping models that cannot be used; a path with their step is impossible, as in a migration.
  public init(of versions: [LoadedVersion], mappings: [KnownMapping] = [], unusable: [UnusableMapping] = []) {
    self.init(versions, VersionGraph(versions), mappings, unusable)
  }

  /// The same versions without the unusable mapping models, whose steps are inferred.
  package func passingOver(_ unusable: [UnusableMapping]) -> MigrationMatrix {
    MigrationMatrix(versions, graph, mappings, unusable)
  }

  /// The same versions as Core Data sees them: it reads no mapping file, and infers where a mapping model is out of date.
  public var ofCoreData: MigrationMatrix { MigrationMatrix(versions, graph, mappings.filter { !$0.isMappingFile }, []) }

  private init(
    _ versions: [LoadedVersion], _ graph: VersionGraph, _ mappings: [KnownMapping], _ unusable: [UnusableMapping]
  ) {
    (self.versions, self.graph, self.mappings) = (versions, graph, mappings)
    let written = WrittenMappings(mappings, unusable: unusable)
    edges = written.edges(among: versions)
    var firstEnds = Array(repeating: versions.count, count: versions.count)
    for (start, ends) in edges.enumerated().reversed() {
      let next = start + 1 < versions.count ? firstEnds[start + 1] : versions.count
      firstEnds[start] = min(next, ends.first { $0 > start } ?? versions.count)
    }
    self.firstEnds = firstEnds
    var steps: [Pair: Result<MigrationVerdict.Step, UnusableStep>] = [:]
    for (start, ends) in edges.enumerated() {
      for end in ends { steps[Pair(start: start, end: end)] = Self.step(versions[start], versions[end], by: written) }
    }
    self.steps = steps
  }

  /// The verdicts about every older version.
  ///
  /// - Parameter destination: the destination, one of ``versions``.
  /// - Returns: one verdict for each version before it, oldest first; empty if it is not among the versions.
  public func verdicts(to destination: LoadedVersion) -> [MigrationVerdict] {
    guard let end = position(of: destination) else { return [] }
    return known.value(for: end) { (0..<end).map { verdict(from: $0, to: end) } }
  }

  /// The verdicts about all pairs, ordered by the source's place and then the destination's.
  ///
  /// - Parameter includingDowngrades: true for the pairs from a newer version to an older one as well.
  public func verdicts(includingDowngrades: Bool = false) -> [MigrationVerdict] {
    versions.indices.flatMap { start in
      versions.indices.filter { includingDowngrades ? $0 != start : $0 > start }.map { verdict(from: start, to: $0) }
    }
  }

  /// The verdict about one pair, nil if one of the two is not among the versions.
  public func verdict(from source: LoadedVersion, to destination: LoadedVersion) -> MigrationVerdict? {
    guard let start = position(of: source), let end = position(of: destination) else { return nil }
    return verdict(from: start, to: end)
  }

  /// The reasons why Core Data's automatic migration cannot migrate directly from a single version to another.
  ///
  /// - Parameter source: one of ``versions``.
  /// - Returns: the reasons; empty if it can.
  public func inferenceRefusals(from source: LoadedVersion, to destination: LoadedVersion) -> [InferenceRefusal] {
    guard let start = position(of: source), let end = position(of: destination) else { return [] }
    return graph.refusals(from: start, to: end)
  }

  /// The steps of a verdict as a migration runs them: the steps between neighbours if all of them can be inferred, or the
  /// steps of the verdict.
  ///
  /// - Returns: the steps in order.
  public func path(of verdict: MigrationVerdict) -> [MigrationVerdict.Step] {
    verdict.steps.flatMap { step -> [MigrationVerdict.Step] in
      guard step.mappingPath == nil, let start = position(of: step.source), let end = position(of: step.destination)
      else { return [step] }
      let chain = [start] + graph.positions(between: start, and: end) + [end]
      return zip(chain, chain.dropFirst()).allSatisfy(graph.leads) ? inferred(chain) : [step]
    }
  }

  private func position(of version: LoadedVersion) -> Int? {
    versions.firstIndex { $0.name == version.name && $0.bundle == version.bundle }
  }

  private func verdict(from start: Int, to end: Int) -> MigrationVerdict {
    let isInferable = graph.leads(from: start, to: end)
    func verdict(
      _ kind: MigrationVerdict.Kind, steps: [MigrationVerdict.Step] = [], refusal: MigrationVerdict.Break? = nil
    ) -> MigrationVerdict {
      MigrationVerdict(
        source: versions[start], destination: versions[end], kind: kind, steps: steps, refusal: refusal,
        isInferable: isInferable)
    }
    guard graph.identities[start] != graph.identities[end] else { return verdict(.same) }
    do {
      if let way = try writtenWay(from: start, to: end) { return verdict(.mapped, steps: way) }
    } catch {
      return verdict(.impossible, refusal: error.refusal)
    }
    if isInferable { return verdict(.lightweight, steps: inferred([start, end])) }
    if let way = graph.shortestWay(from: start, to: end) { return verdict(.staged, steps: inferred(way)) }
    return verdict(.impossible, refusal: brokenStep(from: start, to: end))
  }

  /// The fewest inferred steps along a chain.
  private func shortestWay(along chain: [Int]) -> [Int]? {
    ShortestPath(count: chain.count) { graph.leads(from: chain[$0], to: chain[$1]) }.positions()?.map { chain[$0] }
  }

  private func inferred(_ way: [Int]) -> [MigrationVerdict.Step] {
    zip(way, way.dropFirst()).map {
      MigrationVerdict.Step(source: versions[$0], destination: versions[$1], trial: nil)
    }
  }

  /// The step that nothing leads over, with the reason: the one after the last version that is reached from the first.
  private func brokenStep(from start: Int, to end: Int) -> MigrationVerdict.Break? {
    if !mayBeMapped(from: start, to: end), graph.isPlain(from: start, to: end),
      let step = graph.firstBreak(from: start, to: end)
    {
      return inferenceBreak(from: step.source, to: step.destination)
    }
    let chain = [start] + graph.positions(between: start, and: end) + [end]
    let places = Dictionary(chain.enumerated().map { ($1, $0) }) { first, _ in first }
    let last = ReachedPosition.last(
      count: chain.count, leads: { graph.leads(from: chain[$0], to: chain[$0 + 1]) },
      edges: { place in edges[chain[place]].filter { isUsable(from: chain[place], to: $0) }.compactMap { places[$0] } })
    guard last + 1 < chain.count else { return nil }
    let (start, end) = (chain[last], chain[last + 1])
    if case .failure(let step) = steps[Pair(start: start, end: end)] { return step.refusal }
    return inferenceBreak(from: start, to: end)
  }

  private func inferenceBreak(from start: Int, to end: Int) -> MigrationVerdict.Break? {
    graph.refusals(from: start, to: end).first.map {
      MigrationVerdict.Break(source: versions[start], destination: versions[end], cause: .inference($0))
    }
  }

  private func isUsable(from start: Int, to end: Int) -> Bool {
    if case .success = steps[Pair(start: start, end: end)] { true } else { false }
  }

  /// The positions of two versions.
  private struct Pair: Hashable {
    let start: Int
    let end: Int
  }

  /// A mapping model on the path that cannot be used.
  private struct UnusableStep: Error {
    let refusal: MigrationVerdict.Break
  }

  /// The path of a migration with a custom mapping model; nil if there is no such path.
  private func writtenWay(from start: Int, to end: Int) throws(UnusableStep) -> [MigrationVerdict.Step]? {
    guard mayBeMapped(from: start, to: end) else { return nil }
    if let step = steps[Pair(start: start, end: end)] { return [try step.get()] }
    let isPlain = graph.isPlain(from: start, to: end)
    let chain = isPlain ? stops(from: start, to: end) : chain(from: start, to: end)
    let search = isPlain ? search(among: chain) : search(along: chain)
    guard let way = search.positions()?.map({ chain[$0] }) else { return nil }
    var found: [MigrationVerdict.Step] = []
    for (first, last) in zip(way, way.dropFirst()) {
      if let step = steps[Pair(start: first, end: last)] {
        found.append(try step.get())
      } else if graph.leads(from: first, to: last) {
        found += inferred([first, last])
      } else {
        let run = Array(self.chain(from: start, to: end).drop { $0 != first }.prefix { $0 != last }) + [last]
        found += inferred(shortestWay(along: run) ?? run)
      }
    }
    return found.contains { $0.mappingPath != nil } ? found : nil
  }

  /// The positions from one to another.
  private func chain(from start: Int, to end: Int) -> [Int] {
    let between = graph.positions(between: start, and: end)
    return [start] + (between.isEmpty ? graph.positions(between: end, and: start).reversed() : between) + [end]
  }

  /// The positions at which parts of a path may begin or end, and one for all others between two of them.
  private func stops(from start: Int, to end: Int) -> [Int] {
    let (all, following) = (allStops, graph.following)
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle] <= start { low = middle + 1 } else { high = middle }
    }
    var stops = Array(all[low...].prefix { $0 < end }) + [end]
    if let next = following[start], next < stops[0], !graph.leads(from: start, to: next) { stops.insert(next, at: 0) }
    var chain = [start]
    for (last, stop) in zip([start] + stops, stops) {
      if let next = following[last], next < stop { chain.append(next) }
      chain.append(stop)
    }
    return chain
  }

  /// The positions, other than those with the hashes of the one before, at which a written mapping model or a step that is
  /// not inferred begins or ends.
  private var allStops: [Int] {
    stopCache.value {
      let mapped = edges.indices.filter { !edges[$0].isEmpty } + edges.joined()
      return Set(mapped.filter(graph.isFirst) + graph.broken).sorted()
    }
  }

  private func search(among stops: [Int]) -> PathSearch {
    let places = Dictionary(uniqueKeysWithValues: stops.enumerated().map { ($1, $0) })
    return PathSearch(
      edges: stops.enumerated().map { place, stop in edges[stop].compactMap { places[$0] }.filter { $0 > place } },
      infers: { graph.firstBreak(from: stops[$0.lowerBound], to: stops[$0.upperBound]) == nil })
  }

  /// False if the upgrade path has no custom mapping model.
  private func mayBeMapped(from start: Int, to end: Int) -> Bool {
    let last = graph.lastPosition(of: end)
    return !steps.isEmpty && (graph.lastPosition(of: start) > last || firstEnds[start] <= last)
  }

  private func search(along chain: [Int]) -> PathSearch {
    var places = Array(repeating: -1, count: versions.count)
    for (place, position) in chain.enumerated() { places[position] = place }
    // How many steps between neighbours before each place cannot be inferred.
    var broken = [0]
    for (place, (start, end)) in zip(chain, chain.dropFirst()).enumerated() {
      broken.append(broken[place] + (graph.leads(from: start, to: end) ? 0 : 1))
    }
    return PathSearch(
      edges: chain.enumerated().map { place, position in edges[position].map { places[$0] }.filter { $0 > place } },
      infers: { broken[$0.lowerBound] == broken[$0.upperBound] })
  }

  private static func step(
    _ source: LoadedVersion, _ destination: LoadedVersion, by written: WrittenMappings
  ) -> Result<MigrationVerdict.Step, UnusableStep> {
    do {
      let trial = try written.mapping(from: source, to: destination).map { MappingTrial($0) }
      return .success(MigrationVerdict.Step(source: source, destination: destination, trial: trial))
    } catch .severalMappings(let paths, let from, let to) {
      // Which of them is taken only a migration asks.
      let trial = MappingTrial(
        paths, isMappingFile: written.areFiles(paths), .severalMappings(paths, from: from, to: to))
      return .success(MigrationVerdict.Step(source: source, destination: destination, trial: trial))
    } catch {
      return .failure(
        UnusableStep(
          refusal: MigrationVerdict.Break(source: source, destination: destination, cause: .mappingModel(error))))
    }
  }
}
