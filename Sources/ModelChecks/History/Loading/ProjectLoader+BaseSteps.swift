import ModelFiles

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
    let readings = MappingReading.all(at: paths, sharing: files)
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
