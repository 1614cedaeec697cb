public import MappingModels
public import ModelFiles

/// Finds the ways between versions, remembering what it has inferred, and what was planned, for the next store.
public struct MigrationRoutes: Sendable {
  private let isDirect: Bool
  private let memory: MappingMemory
  private let written: WrittenMappings
  /// The plans that were made along its ways.
  let plans = PlanMemory()

  /// Makes a finder.
  ///
  /// - Parameters:
  ///   - mappings: the written mapping models, each preferred to inference.
  ///   - unusable: mapping models that cannot be used; a way on which one lies is refused.
  ///   - isDirect: true to go straight from the first to the last, as Core Data does.
  public init(
    options: InferenceOptions = InferenceOptions(), mappings: [KnownMapping] = [], unusable: [UnusableMapping] = [],
    isDirect: Bool = false
  ) {
    self.isDirect = isDirect
    memory = MappingMemory(options: options)
    written = WrittenMappings(mappings, unusable: unusable)
  }

  /// Finds the way from a store's version to another.
  ///
  /// A written mapping model from the one to the other is the way. Otherwise every version between is passed, as a user
  /// passes them who installs each update: an attribute that went and came back is a new one. Where written mapping
  /// models lie on the way it has the fewest hops: each a written mapping, or versions in a row that are inferred.
  /// Where a step between can be neither, Core Data's own way is taken, straight from the first to the last; where that
  /// cannot be inferred either, the way with the fewest steps.
  ///
  /// - Parameter versions: the bundle's versions, oldest first; the store's own need not be among them.
  /// - Throws: `InferenceRefusal` when there is none at all: of the step at which written mapping models end, else of the
  ///   straight way; ``MigrationRefusal`` when several mapping models lead the same way.
  public func route(
    from source: LoadedVersion, to destination: LoadedVersion, among versions: [LoadedVersion]
  ) throws -> MigrationRoute {
    if let mapping = try written.mapping(from: source, to: destination) {
      let hop = MigrationHop(from: source, to: destination, by: mapping)
      return MigrationRoute(hops: [hop], detour: nil)
    }
    let between = isDirect ? [] : Self.versions(between: source, and: destination, in: versions)
    var open: InferenceRefusal?
    if !written.isEmpty, !isDirect {
      let all = between.isEmpty ? Self.versions(between: destination, and: source, in: versions).reversed() : between
      if let hops = try writtenHops(along: [source] + all + [destination]) {
        return MigrationRoute(hops: hops, detour: nil)
      }
      open = openStep(along: [source] + all + [destination])
    }
    do {
      return try inferredRoute(from: source, to: destination, passing: between)
    } catch let failure as InferenceRefusal {
      throw open ?? failure
    }
  }

  /// Why inference does not lead over the step at which the way ends that written mapping models begin.
  ///
  /// - Returns: nil where none leads further than inference.
  private func openStep(along chain: [LoadedVersion]) -> InferenceRefusal? {
    func reached(_ edges: (Int) -> [Int]) -> Int {
      ReachedPosition.last(
        count: chain.count, leads: { memory.step(from: chain[$0], to: chain[$0 + 1]).isInferred }, edges: edges)
    }
    let edges = written.edges(among: chain)
    let last = reached { edges[$0] }
    guard last > reached({ _ in [] }), last + 1 < chain.count else { return nil }
    return memory.step(from: chain[last], to: chain[last + 1]).refusals.first
  }

  /// The step from one version straight to another, as inference makes it.
  package func step(from source: LoadedVersion, to destination: LoadedVersion) -> ModelStep {
    memory.step(from: source, to: destination)
  }

  /// The conversions and values beyond what Core Data infers.
  var options: InferenceOptions { memory.options }

  /// Infers the ways from all versions to one of them beforehand, at the cost of one composition a version.
  ///
  /// - Parameter versions: the bundle's versions, oldest first.
  package func prepare(_ versions: [LoadedVersion], to destination: LoadedVersion) {
    guard let first = versions.first, first.versionHashes != destination.versionHashes else { return }
    memory.prepare([first] + Self.versions(between: first, and: destination, in: versions) + [destination])
  }

  private func inferredRoute(
    from source: LoadedVersion, to destination: LoadedVersion, passing between: [LoadedVersion]
  ) throws -> MigrationRoute {
    let chain = [source] + between + [destination]
    var broken: MigrationRoute.Refusal?
    if !between.isEmpty {
      do {
        if let mapping = try memory.chain(chain) {
          let hop = MigrationHop(between, from: source, to: destination, by: mapping)
          return MigrationRoute(hops: [hop], detour: nil)
        }
      } catch {
        broken = error
      }
    }
    let failure: InferenceRefusal
    do {
      let mapping = try memory.step(from: source, to: destination).inferredMapping()
      let hop = MigrationHop([], from: source, to: destination, by: mapping)
      return MigrationRoute(hops: [hop], detour: broken.map { .init(passed: [], refusal: $0) })
    } catch {
      failure = error
    }
    guard let broken, let (path, mapping) = shortest(chain) else { throw failure }
    let hop = MigrationHop(path, from: source, to: destination, by: mapping)
    return MigrationRoute(hops: [hop], detour: .init(passed: path.map(\.name), refusal: broken))
  }

  /// The versions after the source and before the destination, each with hashes of its own; none on the way back.
  private static func versions(
    between source: LoadedVersion, and destination: LoadedVersion, in versions: [LoadedVersion]
  ) -> [LoadedVersion] {
    guard let start = versions.lastIndex(where: { $0.versionHashes == source.versionHashes }),
      let end = versions.lastIndex(where: { $0.versionHashes == destination.versionHashes }), start < end
    else { return [] }
    var last = source
    return versions[(start + 1)..<end].filter { version in
      guard version.versionHashes != last.versionHashes, version.versionHashes != destination.versionHashes else {
        return false
      }
      last = version
      return true
    }
  }

  /// The versions between on the way with the fewest steps, each to a later version, the longest steps tried first.
  private func shortest(_ chain: [LoadedVersion]) -> (path: [LoadedVersion], mapping: MappingModel)? {
    var found: MappingModel?
    let way = ShortestWay(count: chain.count) { start, end in
      memory.step(from: chain[start], to: chain[end]).isInferred
    }.positions { way in
      found = try? memory.chain(way.map { chain[$0] })
      return found != nil
    }
    guard let way, let found else { return nil }
    return (way.dropFirst().dropLast().map { chain[$0] }, found)
  }

  /// The hops of the shortest way that uses a written mapping model.
  ///
  /// - Parameter chain: the versions in the order they are passed, the store's first, the wanted one last.
  /// - Returns: nil when no written mapping lies on the chain, or no way is found.
  private func writtenHops(along chain: [LoadedVersion]) throws(MigrationRefusal) -> [MigrationHop]? {
    let edges = written.edges(among: chain).enumerated().map { start, ends in ends.filter { $0 > start } }
    let search = RouteSearch(edges: edges, infers: { (try? memory.chain(Array(chain[$0]))) != nil })
    guard let way = search.positions() else { return nil }
    var hops: [MigrationHop] = []
    for (start, end) in zip(way, way.dropFirst()) {
      let (source, destination) = (chain[start], chain[end])
      if let mapping = try written.mapping(from: source, to: destination) {
        hops.append(MigrationHop(from: source, to: destination, by: mapping))
      } else if let mapping = try? memory.chain(Array(chain[start...end])) {
        let between = Array(chain[(start + 1)..<end])
        hops.append(MigrationHop(between, from: source, to: destination, by: mapping))
      } else {
        return nil
      }
    }
    return hops
  }
}
