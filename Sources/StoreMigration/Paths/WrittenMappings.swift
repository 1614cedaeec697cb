import MappingModels
import ModelDescription
import ModelFiles
import VersionHashing

/// The custom mapping models there are, looked up by the versions they map.
struct WrittenMappings: Sendable {
  private struct Pair: Hashable {
    let source: VersionHashes
    let destination: VersionHashes
  }

  /// Two versions by their names, as a store of a single configuration has them with hashes of its own.
  private struct NamedPair: Hashable {
    let bundle: String
    let source: String
    let destination: String

    init?(_ source: LoadedVersion, _ destination: LoadedVersion) {
      guard !source.bundle.isEmpty, source.bundle == destination.bundle else { return nil }
      (bundle, self.source, self.destination) = (source.bundle, source.name, destination.name)
    }
  }

  private let mappings: [Pair: [KnownMapping]]
  private let named: [NamedPair: [KnownMapping]]
  private let unusable: [Pair: UnusableMapping]

  init(_ mappings: [KnownMapping], unusable: [UnusableMapping] = []) {
    self.mappings = Dictionary(grouping: mappings) {
      Pair(source: $0.source.versionHashes, destination: $0.destination.versionHashes)
    }
    var named: [NamedPair: [KnownMapping]] = [:]
    for mapping in mappings {
      if let pair = NamedPair(mapping.source, mapping.destination) { named[pair, default: []].append(mapping) }
    }
    self.named = named
    var broken: [Pair: UnusableMapping] = [:]
    for mapping in unusable {
      guard case .drifted(let source, let destination) = mapping.refusal else { continue }
      broken[Pair(source: source.versionHashes, destination: destination.versionHashes)] = mapping
    }
    self.unusable = broken
  }

  var isEmpty: Bool { mappings.isEmpty && unusable.isEmpty }

  /// The steps of the mapping models, usable or not.
  ///
  /// - Returns: for each position the positions that a mapping model leads to from there, in their order.
  func edges(among versions: [LoadedVersion]) -> [[Int]] {
    guard !isEmpty else { return versions.map { _ in [] } }
    guard versions.allSatisfy(\.parts.isEmpty) else {
      return versions.indices.map { start in
        versions.indices.filter { $0 != start && leads(from: versions[start], to: versions[$0]) }
      }
    }
    let places = VersionPositions(versions)
    var edges: [Set<Int>] = versions.map { _ in [] }
    for (source, destination) in ends {
      let ends = places.positions(of: destination)
      for start in places.positions(of: source) {
        edges[start].formUnion(ends.filter { $0 != start && leads(from: versions[start], to: versions[$0]) })
      }
    }
    return edges.map { $0.sorted() }
  }

  /// The two versions of every mapping model, usable or not.
  private var ends: [(source: LoadedVersion, destination: LoadedVersion)] {
    let broken = unusable.values.compactMap { mapping -> (source: LoadedVersion, destination: LoadedVersion)? in
      guard case .drifted(let source, let destination) = mapping.refusal else { return nil }
      return (source, destination)
    }
    return mappings.values.flatMap { $0.map { ($0.source, $0.destination) } } + broken
  }

  /// True if every one of these paths is a mapping file's.
  func areFiles(_ paths: [String]) -> Bool {
    mappings.values.joined().filter { paths.contains($0.path) }.allSatisfy(\.isMappingFile)
  }

  /// True if a mapping model leads from a single version to the other, usable or not.
  private func leads(from source: LoadedVersion, to destination: LoadedVersion) -> Bool {
    let pair = Pair(source: source.versionHashes, destination: destination.versionHashes)
    if mappings[pair] != nil || unusable[pair] != nil { return true }
    if NamedPair(source, destination).map({ named[$0] != nil }) ?? false { return true }
    return destination.changedPart(since: source).map { leads(from: $0.source, to: $0.destination) } ?? false
  }

  /// The mapping model from a single version to the other.
  func mapping(from source: LoadedVersion, to destination: LoadedVersion) throws(MigrationRefusal) -> KnownMapping? {
    let pair = Pair(source: source.versionHashes, destination: destination.versionHashes)
    let candidates = mappings[pair] ?? NamedPair(source, destination).flatMap { named[$0] } ?? []
    guard let first = candidates.first else {
      if let broken = unusable[pair] { throw .unusableMapping(broken) }
      guard let part = destination.changedPart(since: source),
        let mapping = try mapping(from: part.source, to: part.destination)
      else { return nil }
      return mapping.completed(from: source, to: destination)
    }
    guard candidates.allSatisfy({ $0.model.makesTheSame(as: first.model) }) else {
      throw .severalMappings(Set(candidates.map(\.path)).sorted(), from: source.name, to: destination.name)
    }
    guard mappings[pair] == nil else { return first }
    let model = first.model.restricted(from: source.hierarchy, to: destination.hierarchy)
    return KnownMapping(path: first.path, source: source, destination: destination, model: model)
  }
}

extension MappingModel {
  /// The mappings between entities that both models have, as a store of a single configuration needs them.
  fileprivate func restricted(from source: EntityHierarchy, to destination: EntityHierarchy) -> MappingModel {
    var model = self
    model.entityMappings = entityMappings.filter { mapping in
      (mapping.source.map { source.entity(named: $0) != nil } ?? true)
        && (mapping.destination.map { destination.entity(named: $0) != nil } ?? true)
    }
    return model
  }
}

/// The positions of versions with equal hashes, or with equal names in the same bundle, in a list.
private struct VersionPositions {
  private struct Name: Hashable {
    let bundle: String
    let version: String
  }

  private let byHashes: [VersionHashes: [Int]]
  private let byName: [Name: [Int]]

  init(_ versions: [LoadedVersion]) {
    byHashes = Dictionary(grouping: versions.indices) { versions[$0].versionHashes }
    byName = Dictionary(grouping: versions.indices) { Name(bundle: versions[$0].bundle, version: versions[$0].name) }
  }

  func positions(of version: LoadedVersion) -> Set<Int> {
    let named = version.bundle.isEmpty ? [] : byName[Name(bundle: version.bundle, version: version.name)] ?? []
    return Set(named).union(byHashes[version.versionHashes] ?? [])
  }
}
