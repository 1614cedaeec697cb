import ModelFiles
import StoreMigration

extension ProjectLoader {
  /// How stores were migrated at the base, by the paths of the bundles they are now.
  ///
  /// - Parameters:
  ///   - bundles: the bundles of the base, by the paths of those they are now.
  ///   - files: the mapping models as they are now, which the base is likely to have too.
  /// - Returns: what is known of each; nothing without a base.
  func baseSteps(of bundles: [String: BaseBundle], sharing files: [MappingReading]) -> [String: BaseSteps] {
    guard let base, !bundles.isEmpty else { return [:] }
    var seen: Set<String> = []
    let paths = search.mappingFolders(near: self.paths).map(base.path)
      .flatMap { MappingPath.discover(under: $0) }
      .filter { seen.insert($0).inserted && !configuration.excludes(base.workingPath($0)) }
    let readings = MappingReading.all(at: paths, sharing: files, replacing: configuration.policies)
    let digests = Dictionary(readings.compactMap { file in file.digest.map { (file.path, $0) } }) { first, _ in first }
    // A version with the bytes of today is that of today, so that the versions of one bundle may name two.
    let known = bundles.flatMap { path, bundle in
      bundle.reading.usable.map { version in
        LoadedVersion(
          bundle: path, name: version.name, isCurrent: version.isCurrent, file: version.file,
          hierarchy: version.hierarchy,
          versionHashes: version.versionHashes)
      }
    }
    let (mappings, unusable) = KnownMapping.find(in: readings, among: VersionIndex(known))
    let byBundle = Dictionary(grouping: mappings) { $0.source.bundle }
    return bundles.reduce(into: [:]) { steps, bundle in
      steps[bundle.key] = BaseSteps(
        name: base.name, revision: base.revision, versions: bundle.value.reading.usable,
        mappings: (byBundle[bundle.key] ?? []).compactMap { mapping in
          digests[mapping.path].map { (mapping, base.workingPath(mapping.path), $0) }
        }, unusable: unusable)
    }
  }
}

/// How stores were migrated between the versions of a bundle at an earlier state.
struct BaseSteps: Sendable {
  /// What findings call the earlier state.
  let name: String
  /// What git finds it by; nil for a folder.
  let revision: String?
  /// The versions that could be used, oldest first.
  let versions: [LoadedVersion]
  /// The mapping models between them, each with the path it has here and the digest of its file.
  let mappings: [(mapping: KnownMapping, path: String, digest: String)]
  /// The digests of the mapping models by the versions they are between.
  let digests: [VersionPair: Set<String>]
  private let routes: MigrationRoutes
  private let positions: [String: Int]

  init(
    name: String, revision: String?, versions: [LoadedVersion],
    mappings: [(mapping: KnownMapping, path: String, digest: String)], unusable: [UnusableMapping]
  ) {
    (self.name, self.revision, self.versions, self.mappings) = (name, revision, versions, mappings)
    positions = Dictionary(versions.indices.map { (versions[$0].name, $0) }) { first, _ in first }
    digests = mappings.reduce(into: [:]) { found, mapping in
      let pair = VersionPair(source: mapping.mapping.source.name, destination: mapping.mapping.destination.name)
      found[pair, default: []].insert(mapping.digest)
    }
    routes = MigrationRoutes(mappings: mappings.map(\.mapping), unusable: unusable)
  }

  func version(named name: String) -> LoadedVersion? { positions[name].map { versions[$0] } }

  /// The step between two versions as it was then; nil when one of them was not there.
  func step(_ pair: VersionPair) -> VersionStep? {
    guard let source = version(named: pair.source), let destination = version(named: pair.destination) else {
      return nil
    }
    return VersionStep(from: source, to: destination, by: routes)
  }
}
