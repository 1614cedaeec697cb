import ModelFiles
import StoreMigration

extension ProjectLoader {
  /// The steps of the base, by the current paths of the bundles.
  ///
  /// - Parameters:
  ///   - bundles: the bundles of the base, by their current paths.
  ///   - files: the current mapping models, which the base is likely to have too.
  /// - Returns: the steps of each bundle; empty without a base.
  func baseSteps(of bundles: [String: BaseBundle], sharing files: [UnmatchedMappingModel]) -> [String: BaseSteps] {
    guard let base, !bundles.isEmpty else { return [:] }
    var seen: Set<String> = []
    let paths = search.mappingFolders(near: self.paths).map(base.path)
      .flatMap { MappingPath.discover(under: $0) }
      .filter { seen.insert($0).inserted && !configuration.excludes(base.workingPath($0)) }
    let readings = UnmatchedMappingModel.all(at: paths, sharing: files, replacing: configuration.policies)
    let digests = Dictionary(readings.compactMap { file in file.digest.map { (file.path, $0) } }) { first, _ in first }
    // An unchanged version is shared with the current bundle, so versions of a bundle may have two bundle paths.
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

/// The steps between the versions of a bundle at an earlier state.
struct BaseSteps: Sendable {
  /// The name of the earlier state in findings.
  let name: String
  /// The revision of git; nil for a folder.
  let revision: String?
  /// The usable versions, oldest first.
  let versions: [LoadedVersion]
  /// The mapping models between them, each with its path in the working folder and the digest of its file.
  let mappings: [(mapping: KnownMapping, path: String, digest: String)]
  /// The digests of the mapping models, by their versions.
  let digests: [VersionPair: Set<String>]
  private let pathFinder: MigrationPathFinder
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
    pathFinder = MigrationPathFinder(mappings: mappings.map(\.mapping), unusable: unusable)
  }

  func version(named name: String) -> LoadedVersion? { positions[name].map { versions[$0] } }

  /// The step between two versions at that state; nil if a version did not exist.
  func step(_ pair: VersionPair) -> VersionStep? {
    guard let source = version(named: pair.source), let destination = version(named: pair.destination) else {
      return nil
    }
    return VersionStep(from: source, to: destination, by: pathFinder)
  }
}
