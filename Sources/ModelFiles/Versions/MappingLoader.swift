import MappingModels
import ModelDescription
import VersionHashing

/// Finds the versions that each mapping model is between.
struct MappingLoader {
  let index: VersionIndex

  /// Matches a file with the versions.
  ///
  /// - Returns: the mapping between every pair of versions it fits, or why it cannot be used.
  func load(_ reading: UnmatchedMappingModel) -> Result<[KnownMapping], UnusableMapping> {
    do {
      switch try reading.content.get() {
      case .xcode(let file, let compilation): return try xcode(file, compilation, reading.path)
      case .compiled(let compilation): return compiled(compilation.mapping, reading.path)
      case .document(let file): return try document(file, reading.path)
      }
    } catch {
      return .failure(UnusableMapping(path: reading.path, refusal: .unreadable, cause: .file(error)))
    }
  }

  private func xcode(
    _ file: XcodeMappingModel, _ compilation: Result<MappingCompilation, ModelFileError>, _ path: String
  ) throws(ModelFileError) -> Result<[KnownMapping], UnusableMapping> {
    let pairs = differing(index.versions(with: file.source.hashes), index.versions(with: file.destination.hashes))
    if pairs.isEmpty { return .failure(misfit(of: file, at: path)) }
    let model = try compilation.get().mapping
    return .success(
      pairs.map { KnownMapping(path: path, source: $0.source, destination: $0.destination, model: model) })
  }

  /// Why an Xcode mapping model is between no two versions: it drifted from the ones it names, or names none of these.
  private func misfit(of file: XcodeMappingModel, at path: String) -> UnusableMapping {
    let named = differing(index.versions(named: file.source), index.versions(named: file.destination))
    guard let pair = named.first else {
      return UnusableMapping(
        path: path, refusal: .fitsNoVersions,
        cause: .otherModels(source: file.source.versionPath, destination: file.destination.versionPath),
        file: file.path)
    }
    return UnusableMapping(
      path: path, refusal: .drifted(source: pair.source, destination: pair.destination),
      cause: .editedReleases(source: pair.source.name, destination: pair.destination.name),
      file: file.path)
  }

  private func compiled(_ model: MappingModel, _ path: String) -> Result<[KnownMapping], UnusableMapping> {
    let pairs = differing(
      index.versions(
        with: model.entityMappings.compactMap { mapping in
          mapping.source.map { ($0, mapping.sourceVersionHash) }
        }),
      index.versions(
        with: model.entityMappings.compactMap { mapping in
          mapping.destination.map { ($0, mapping.destinationVersionHash) }
        }))
    guard !pairs.isEmpty else {
      return .failure(UnusableMapping(path: path, refusal: .fitsNoVersions, cause: .otherEntities))
    }
    return .success(
      pairs.map { KnownMapping(path: path, source: $0.source, destination: $0.destination, model: model) })
  }

  private func document(_ file: MappingFile, _ path: String) throws -> Result<[KnownMapping], UnusableMapping> {
    let named: [VersionPair]
    switch pairs(namedBy: file) {
    case .success(let pairs): named = pairs
    case .failure(let failure): return .failure(failure)
    }
    var found: [KnownMapping] = []
    for pair in named {
      let model = try file.resolved(from: pair.source.hierarchy, to: pair.destination.hierarchy)
      if let drift = drift(of: model, pair, file) { return .failure(drift) }
      let running = try? file.written.running(from: pair.source.hierarchy, to: pair.destination.hierarchy)
      found.append(
        KnownMapping(path: path, source: pair.source, destination: pair.destination, model: running ?? model))
    }
    return .success(found)
  }

  /// One of our files names its versions; those are of the bundle, or the merged ones, whose folder it lies in.
  func pairs(namedBy file: MappingFile) -> Result<[VersionPair], UnusableMapping> {
    let bundle = MappingPath.bundleName(of: file.path)
    let candidates = bundle.map { index.versions(ofBundle: $0) } ?? index.versions
    let bundleNames = Set(candidates.map(\.bundleName))
    func named(_ name: String) -> [LoadedVersion] {
      index.versions(named: name).filter { bundle == nil || candidates.isEmpty || bundleNames.contains($0.bundleName) }
    }
    for name in [file.sourceVersion, file.destinationVersion] where named(name).isEmpty {
      let own = candidates.isEmpty ? index.versions : candidates
      let near = NearNames.candidates(for: name, among: own.map(\.name))
      return .failure(
        UnusableMapping(
          path: file.path, refusal: bundle == nil || candidates.isEmpty ? .fitsNoVersions : .unreadable,
          cause: .unknownVersion(name, near: near), at: file.location(of: .model)))
    }
    let pairs = Self.pairs(named(file.sourceVersion), named(file.destinationVersion))
    guard pairs.isEmpty else { return .success(pairs) }
    return .failure(
      UnusableMapping(
        path: file.path, refusal: .fitsNoVersions, cause: .severalBundles, at: file.location(of: .model)))
  }

  /// The error if the entities no longer have the hashes that the file states.
  private func drift(of model: MappingModel, _ pair: VersionPair, _ file: MappingFile) -> UnusableMapping? {
    let (sources, destinations) = (pair.source.versionHashes.entities, pair.destination.versionHashes.entities)
    for mapping in model.entityMappings {
      let sides = [
        (mapping.source, mapping.sourceVersionHash, sources, pair.source.name),
        (mapping.destination, mapping.destinationVersionHash, destinations, pair.destination.name),
      ]
      for case let (entity?, hash?, known, version) in sides where known[entity] != hash {
        return UnusableMapping(
          path: file.path, refusal: .drifted(source: pair.source, destination: pair.destination),
          cause: .editedEntity(entity, version: version, hash: known[entity]?.base64),
          at: file.location(ofMapping: mapping.name, property: nil))
      }
    }
    return nil
  }

  private static func pairs(_ sources: [LoadedVersion], _ destinations: [LoadedVersion]) -> [VersionPair] {
    sources.flatMap { source in
      destinations.filter { $0.bundle == source.bundle }.map { VersionPair(source: source, destination: $0) }
    }
  }

  private func differing(_ sources: [LoadedVersion], _ destinations: [LoadedVersion]) -> [VersionPair] {
    Self.pairs(sources, destinations).filter { $0.source.versionHashes != $0.destination.versionHashes }
  }
}

/// Two versions of a single bundle.
struct VersionPair {
  let source: LoadedVersion
  let destination: LoadedVersion
}

/// The versions of a project, looked up by the hashes and names in mapping models.
public struct VersionIndex: Sendable {
  private struct EntityHash: Hashable {
    let name: String
    let hash: VersionHash
  }

  /// The versions in the order in which they are preferred.
  public let versions: [LoadedVersion]
  private let byHashes: [VersionHashes: [Int]]
  private let byName: [String: [Int]]
  private let byMergedName: [MergedName: [Int]]
  private let byBundleName: [MergedName: [Int]]
  private let byEntity: [EntityHash: [Int]]

  /// Indexes versions.
  ///
  /// - Parameter versions: the versions in the order in which they are preferred.
  public init(_ versions: [LoadedVersion]) {
    self.versions = versions
    byHashes = Dictionary(grouping: versions.indices) { versions[$0].versionHashes }
    byName = Dictionary(grouping: versions.indices) { versions[$0].name }
    byMergedName = Dictionary(grouping: versions.indices.filter { !versions[$0].parts.isEmpty }) {
      MergedName(versions[$0].name)
    }
    byBundleName = Dictionary(grouping: versions.indices) { MergedName(versions[$0].bundleName) }
    var byEntity: [EntityHash: [Int]] = [:]
    for (position, version) in versions.enumerated() {
      for (name, hash) in version.versionHashes.entities {
        byEntity[EntityHash(name: name, hash: hash), default: []].append(position)
      }
    }
    self.byEntity = byEntity
  }

  /// The versions with these hashes; if there is none, the merged version that has them.
  func versions(with hashes: VersionHashes) -> [LoadedVersion] {
    byHashes[hashes].map { found in found.map { versions[$0] } } ?? merged(with: hashes)
  }

  /// The version that is merged of those of several bundles, and has these hashes.
  private func merged(with hashes: VersionHashes) -> [LoadedVersion] {
    guard let parts = LoadedVersion.parts(of: hashes, among: versions.filter(\.parts.isEmpty)),
      let merged = try? LoadedVersion(merging: parts)
    else { return [] }
    return [merged]
  }

  /// The versions of this name; of a merged model's name, whose parts may have any order, the merged version.
  func versions(named name: String) -> [LoadedVersion] {
    let merged = MergedName(name)
    if let found = byName[name] ?? byMergedName[merged] { return found.map { versions[$0] } }
    return [LoadedVersion.merged(named: merged, among: versions)].compactMap { $0 }
  }

  /// The versions of the bundles of this name; the parts of a merged model's may have any order.
  func versions(ofBundle name: String) -> [LoadedVersion] {
    (byBundleName[MergedName(name)] ?? []).map { versions[$0] }
  }

  /// The versions that a mapping model was made with, by the names of version and bundle.
  func versions(named snapshot: MappingModelSnapshot) -> [LoadedVersion] {
    let parts = snapshot.versionPath.split(separator: "/")
    return versions(named: snapshot.versionName).filter { version in parts.contains { $0 == version.bundleFileName } }
  }

  /// The versions that have all of these entities with the stated hashes; empty if no hash is stated.
  ///
  /// A merged one has no other entities, which would be left unmapped.
  func versions(with entities: [(name: String, hash: VersionHash?)]) -> [LoadedVersion] {
    var common: [Int]?
    var hashes: [String: VersionHash] = [:]
    for entity in entities {
      guard let hash = entity.hash, let found = byEntity[EntityHash(name: entity.name, hash: hash)],
        hashes.updateValue(hash, forKey: entity.name) ?? hash == hash
      else { return [] }
      // A version has an entity once, so that the lists are in order without repetition.
      common = common.map { Array(Set($0).intersection(found)).sorted() } ?? found
    }
    let found = (common ?? []).map { versions[$0] }.filter {
      $0.parts.isEmpty || $0.versionHashes.entities.count == hashes.count
    }
    return found.isEmpty ? merged(with: VersionHashes(entities: hashes)) : found
  }
}
