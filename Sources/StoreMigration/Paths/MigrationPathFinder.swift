public import MappingModels
public import ModelFiles

/// Finds the migration paths between versions, and caches inferred mappings and plans for the next store.
public struct MigrationPathFinder: Sendable {
  private let isDirect: Bool
  private let cache: MappingCache
  private let written: WrittenMappings
  /// The plans for its paths.
  let plans = PlanCache()

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - mappings: the custom mapping models, each preferred to inference.
  ///   - unusable: mapping models that cannot be used; a path that contains their step is refused.
  ///   - isDirect: true to migrate directly from the first version to the last, as Core Data does.
  public init(
    options: InferenceOptions = InferenceOptions(), mappings: [KnownMapping] = [], unusable: [UnusableMapping] = [],
    isDirect: Bool = false
  ) {
    self.isDirect = isDirect
    cache = MappingCache(options: options)
    written = WrittenMappings(mappings, unusable: unusable)
  }

  /// The same finder for direct paths; nil if it finds them already, or if a mapping model may be on a path.
  package var direct: MigrationPathFinder? {
    isDirect || !written.isEmpty ? nil : MigrationPathFinder(options: cache.options, isDirect: true)
  }

  /// Finds the migration path from a store's version to another.
  ///
  /// - If a custom mapping model maps the source to the destination, the path is that mapping model.
  /// - If not, the path visits every version in between, as for a user who installs each update. An attribute that was
  ///   removed and added again is then a new attribute.
  /// - If custom mapping models are on the path, it has the fewest parts: each is a custom mapping, or inferred versions
  ///   in a row.
  /// - If a step is neither mapped nor inferable, the path is direct, as in Core Data.
  /// - If the direct path is not inferable either, the path has the fewest steps.
  ///
  /// - Parameter versions: the bundle's versions, oldest first; the store's own version may be missing.
  /// - Throws: `InferenceRefusal` if no path exists: of the step after the custom mapping models, or of the direct path;
  ///   ``MigrationRefusal`` if several mapping models are for the same step.
  public func migrationPath(
    from source: LoadedVersion, to destination: LoadedVersion, among versions: [LoadedVersion]
  ) throws -> MigrationPath {
    if let mapping = try written.mapping(from: source, to: destination) {
      let part = PathPart(from: source, to: destination, by: mapping)
      return MigrationPath(parts: [part], detour: nil)
    }
    let between = isDirect ? [] : Self.versions(between: source, and: destination, in: versions)
    var open: InferenceRefusal?
    if !written.isEmpty, !isDirect {
      let all = between.isEmpty ? Self.versions(between: destination, and: source, in: versions).reversed() : between
      if let parts = try writtenParts(along: [source] + all + [destination]) {
        return MigrationPath(parts: parts, detour: nil)
      }
      open = openStep(along: [source] + all + [destination])
    }
    do {
      return try inferredPath(from: source, to: destination, passing: between)
    } catch let failure as InferenceRefusal {
      throw open ?? failure
    }
  }

  /// Why inference does not lead over the step at which the way ends that custom mapping models begin.
  ///
  /// - Returns: nil if none leads further than inference.
  private func openStep(along chain: [LoadedVersion]) -> InferenceRefusal? {
    func reached(_ edges: (Int) -> [Int]) -> Int {
      ReachedPosition.last(
        count: chain.count, leads: { cache.step(from: chain[$0], to: chain[$0 + 1]).isInferred }, edges: edges)
    }
    let edges = written.edges(among: chain)
    let last = reached { edges[$0] }
    guard last > reached({ _ in [] }), last + 1 < chain.count else { return nil }
    return cache.step(from: chain[last], to: chain[last + 1]).refusals.first
  }

  /// The direct step from a single version to another, as inference makes it.
  package func step(from source: LoadedVersion, to destination: LoadedVersion) -> ModelStep {
    cache.step(from: source, to: destination)
  }

  /// The conversions and values beyond what Core Data infers.
  var options: InferenceOptions { cache.options }

  /// Infers the paths from all versions to one version in advance, at the cost of one composition per version.
  ///
  /// - Parameter versions: the bundle's versions, oldest first.
  package func prepare(_ versions: [LoadedVersion], to destination: LoadedVersion) {
    guard let first = versions.first, first.versionHashes != destination.versionHashes else { return }
    cache.prepare([first] + Self.versions(between: first, and: destination, in: versions) + [destination])
  }

  private func inferredPath(
    from source: LoadedVersion, to destination: LoadedVersion, passing between: [LoadedVersion]
  ) throws -> MigrationPath {
    let chain = [source] + between + [destination]
    var broken: MigrationPath.Refusal?
    if !between.isEmpty {
      do {
        if let mapping = try cache.chain(chain) {
          let part = PathPart(between, from: source, to: destination, by: mapping)
          return MigrationPath(parts: [part], detour: nil)
        }
      } catch {
        broken = error
      }
    }
    let failure: InferenceRefusal
    do {
      let mapping = try cache.step(from: source, to: destination).inferredMapping()
      let part = PathPart([], from: source, to: destination, by: mapping)
      return MigrationPath(parts: [part], detour: broken.map { .init(passed: [], refusal: $0) })
    } catch {
      failure = error
    }
    guard let broken, let (path, mapping) = shortest(chain) else { throw failure }
    let part = PathPart(path, from: source, to: destination, by: mapping)
    return MigrationPath(parts: [part], detour: .init(passed: path.map(\.name), refusal: broken))
  }

  /// The versions after the source and before the destination, each with its own hashes; empty for a downgrade.
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

  /// The intermediate versions of the path with the fewest steps, each to a later version; long steps are tried first.
  private func shortest(_ chain: [LoadedVersion]) -> (path: [LoadedVersion], mapping: MappingModel)? {
    var found: MappingModel?
    let way = ShortestPath(count: chain.count) { start, end in
      cache.step(from: chain[start], to: chain[end]).isInferred
    }.positions { way in
      found = try? cache.chain(way.map { chain[$0] })
      return found != nil
    }
    guard let way, let found else { return nil }
    return (way.dropFirst().dropLast().map { chain[$0] }, found)
  }

  /// The parts of the shortest path that uses a custom mapping model.
  ///
  /// - Parameter chain: the versions in their order, from the store's version to the destination.
  /// - Returns: nil if the chain has no custom mapping, or if no path is found.
  private func writtenParts(along chain: [LoadedVersion]) throws(MigrationRefusal) -> [PathPart]? {
    let edges = written.edges(among: chain).enumerated().map { start, ends in ends.filter { $0 > start } }
    let search = PathSearch(edges: edges, infers: { (try? cache.chain(Array(chain[$0]))) != nil })
    guard let way = search.positions() else { return nil }
    var parts: [PathPart] = []
    for (start, end) in zip(way, way.dropFirst()) {
      let (source, destination) = (chain[start], chain[end])
      if let mapping = try written.mapping(from: source, to: destination) {
        parts.append(PathPart(from: source, to: destination, by: mapping))
      } else if let mapping = try? cache.chain(Array(chain[start...end])) {
        let between = Array(chain[(start + 1)..<end])
        parts.append(PathPart(between, from: source, to: destination, by: mapping))
      } else {
        return nil
      }
    }
    return parts
  }
}
