import MappingModels
import ModelDescription
import VersionHashing

/// Finds the versions that each mapping model is between.
struct MappingLoader {
  let index: VersionIndex

  /// Holds a file against the versions.
  ///
  /// - Returns: the mapping between every pair of versions it fits, or why it cannot be used.
  func load(_ reading: MappingReading) -> Result<[KnownMapping], UnusableMapping> {
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
      return .failure(
        UnusableMapping(path: path, refusal: .fitsNoVersions, cause: .otherEntities))
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
      found.append(KnownMapping(path: path, source: pair.source, destination: pair.destination, model: model))
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
      let near = NearNames.nearest(to: name, among: own.map(\.name))
      return .failure(
        UnusableMapping(
          path: file.path, refusal: bundle == nil || candidates.isEmpty ? .fitsNoVersions : .unreadable,
          cause: .unknownVersion(name, near: near), at: file.location(of: .model)))
    }
    return .success(Self.pairs(named(file.sourceVersion), named(file.destinationVersion)))
  }

  /// Why the entities are no longer those whose hashes the file states.
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

  /// Pairs of different versions of one bundle.
  private func differing(_ sources: [LoadedVersion], _ destinations: [LoadedVersion]) -> [VersionPair] {
    Self.pairs(sources, destinations).filter { $0.source.versionHashes != $0.destination.versionHashes }
  }
}

/// Two versions of one bundle.
struct VersionPair {
  let source: LoadedVersion
  let destination: LoadedVersion
}
