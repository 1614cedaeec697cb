import MappingModels
import ModelDescription
import ModelFiles
import VersionHashing

/// Reads mapping models and finds the versions that each is between.
struct MappingLoader {
  let versions: [KnownVersion]

  /// Reads one file.
  ///
  /// - Returns: the mapping between every pair of versions it fits, or why it cannot be used.
  func load(_ path: String) -> Result<[KnownMapping], UnusableMapping> {
    do {
      switch MappingPath.form(of: path) {
      case .xcode?: return try xcode(path)
      case .compiled?: return try compiled(path)
      case .document?, nil: return try document(path)
      }
    } catch {
      return .failure(UnusableMapping(path: path, fault: .unreadable, reason: "\(error)"))
    }
  }

  private func xcode(_ path: String) throws(ModelFileError) -> Result<[KnownMapping], UnusableMapping> {
    let file = try XcodeMappingModel(contentsOf: path)
    let pairs = pairs {
      $0.versionHashes == file.source.hashes
    } to: {
      $0.versionHashes == file.destination.hashes
    }
    if pairs.isEmpty { return .failure(misfit(of: file)) }
    let model = try file.compiled()
    return .success(
      pairs.map { KnownMapping(path: path, source: $0.source, destination: $0.destination, model: model) })
  }

  /// Why an Xcode mapping model is between no two versions: it drifted from the ones it names, or names none of these.
  private func misfit(of file: XcodeMappingModel) -> UnusableMapping {
    let named = pairs {
      file.source.isNamed(after: $0)
    } to: {
      file.destination.isNamed(after: $0)
    }
    guard let pair = named.first else {
      return UnusableMapping(
        path: file.path, fault: .fitsNoVersions,
        reason: """
          \(file.path): it maps \(file.source.versionPath) to \(file.destination.versionPath), and no version here has \
          the hashes of the models it was made with; name their bundle with --model PATH
          """)
    }
    return UnusableMapping(
      path: file.path, fault: .drifted(source: pair.source, destination: pair.destination),
      reason: """
        \(file.path): made with other models than \(pair.source.name) and \(pair.destination.name) are now; \
        see what changed with: modelctl mapping check \(ShellWord(path: file.path).text)
        """)
  }

  private func compiled(_ path: String) throws(ModelFileError) -> Result<[KnownMapping], UnusableMapping> {
    let model = try CompiledMappingModel(contentsOf: path).mapping
    let pairs = pairs {
      model.fits($0, \.source, \.sourceVersionHash)
    } to: {
      model.fits($0, \.destination, \.destinationVersionHash)
    }
    guard !pairs.isEmpty else {
      return .failure(
        UnusableMapping(
          path: path, fault: .fitsNoVersions,
          reason: """
            \(path): no two versions here have the hashes of the entities it maps; name their bundle with --model PATH
            """))
    }
    return .success(
      pairs.map { KnownMapping(path: path, source: $0.source, destination: $0.destination, model: model) })
  }

  private func document(_ path: String) throws -> Result<[KnownMapping], UnusableMapping> {
    let file = try MappingFile(contentsOf: path)
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

  /// One of our files names its versions; those are of the bundle whose folder it lies in.
  func pairs(namedBy file: MappingFile) -> Result<[VersionPair], UnusableMapping> {
    let bundle = MappingPath.bundleName(of: file.path)
    let candidates = versions.filter { bundle == nil || $0.bundleName == bundle }
    let own = candidates.isEmpty ? versions : candidates
    for name in [file.sourceVersion, file.destinationVersion] where !own.contains(where: { $0.name == name }) {
      let near = NearNames.nearest(to: name, among: own.map(\.name)).map { "“\($0)”" }.joined(separator: ", ")
      return .failure(
        UnusableMapping(
          path: file.path, fault: bundle == nil || candidates.isEmpty ? .fitsNoVersions : .unreadable,
          reason: """
            \(file.location(of: .model)): there is no version “\(name)” here\(near.isEmpty ? "" : "; did you mean \(near)?")
            """))
    }
    return .success(
      Self.pairs(
        own.filter { $0.name == file.sourceVersion }, own.filter { $0.name == file.destinationVersion }))
  }

  /// Why the entities are no longer those whose hashes the file states.
  private func drift(of model: CustomMappingModel, _ pair: VersionPair, _ file: MappingFile) -> UnusableMapping? {
    let (former, latter) = (pair.source.versionHashes.entities, pair.destination.versionHashes.entities)
    for mapping in model.entityMappings {
      let sides = [
        (mapping.source, mapping.sourceVersionHash, former, pair.source.name),
        (mapping.destination, mapping.destinationVersionHash, latter, pair.destination.name),
      ]
      for case let (entity?, hash?, known, version) in sides where known[entity] != hash {
        return UnusableMapping(
          path: file.path, fault: .drifted(source: pair.source, destination: pair.destination),
          reason: """
            \(file.location(ofMapping: mapping.name, property: nil)): the hash it states for \(entity) is not that of \
            \(entity) in \(version), which was edited since; check the mapping, then state \
            \(known[entity]?.base64 ?? "none, as the entity is gone")
            """)
      }
    }
    return nil
  }

  private static func pairs(_ sources: [KnownVersion], _ destinations: [KnownVersion]) -> [VersionPair] {
    sources.flatMap { source in
      destinations.filter { $0.bundle == source.bundle }.map { VersionPair(source: source, destination: $0) }
    }
  }

  /// Pairs of different versions of one bundle.
  private func pairs(
    from isSource: (KnownVersion) -> Bool, to isDestination: (KnownVersion) -> Bool
  ) -> [VersionPair] {
    Self.pairs(versions.filter(isSource), versions.filter(isDestination))
      .filter { $0.source.versionHashes != $0.destination.versionHashes }
  }
}

/// Two versions of one bundle.
struct VersionPair {
  let source: KnownVersion
  let destination: KnownVersion
}

extension MappingModelSnapshot {
  /// True for the version that the mapping model was made with, by the names of version and bundle.
  func isNamed(after version: KnownVersion) -> Bool {
    version.name == versionName && versionPath.split(separator: "/").contains { $0 == version.bundleFileName }
  }
}

extension CustomMappingModel {
  /// True when a version has every entity that one side of the mappings names, with the hash they state; a merged one
  /// has no others, which would be left unmapped.
  fileprivate func fits(
    _ version: KnownVersion, _ entity: (CustomEntityMapping) -> String?, _ hash: (CustomEntityMapping) -> VersionHash?
  ) -> Bool {
    let stated = entityMappings.compactMap { mapping in entity(mapping).map { ($0, hash(mapping)) } }
    let hashes = version.versionHashes.entities
    guard version.parts.isEmpty || Set(stated.map(\.0)).count == hashes.count else { return false }
    return !stated.isEmpty && stated.allSatisfy { $0.1 != nil && hashes[$0.0] == $0.1 }
  }
}
