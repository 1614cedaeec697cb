import ModelDescription
import ModelFiles
package import PersistentStores
import StoreMigration

extension LoadedWorkspace {
  /// The merged destination of a store of several bundles; nil for a store of a single bundle.
  func unionTarget(
    of identification: StoreIdentification, to name: String?, _ store: String
  ) throws -> MigrationTarget? {
    let parts = identification.version?.parts ?? []
    let namesSeveral = name.map { UnionName($0).parts.count > 1 } ?? false
    guard mergesBundles || !parts.isEmpty || namesSeveral else { return nil }
    let all = bundleVersions
    var members = Set(
      mergesBundles
        ? Array(all.indices)
        : all.indices.filter { position in
          parts.contains { $0.bundle == all[position].first?.bundle }
        })
    if members.isEmpty, let name, !versions.contains(where: { $0.name == name }) {
      members = try UnionName(name).positions(in: all, report: workspace.report).bundles
    }
    guard members.count > 1 || mergesBundles else { return nil }
    let bundles = members.sorted().map { all[$0] }
    let target = try unionTarget(among: bundles, from: identification.version, to: name, store)
    for part in parts where !mergesBundles {
      let goal = target.destination.parts.first { $0.bundle == part.bundle }?.versionHashes
      for rival in otherBundles(of: part) where !bundles.contains(where: { $0.first?.bundle == rival }) {
        let isSame = versions.contains { $0.bundle == rival && $0.isCurrent && $0.versionHashes == goal }
        if !isSame { throw WorkspaceError.severalBundlesFit(store: store, candidates: [part.bundle, rival]) }
      }
    }
    return target
  }

  /// The merged destination, with the versions on the path to it.
  func unionTarget(
    among bundles: [[LoadedVersion]], from source: LoadedVersion?, to name: String?, _ store: String
  ) throws -> MigrationTarget {
    let key = bundles.compactMap(\.first?.bundle) + [source?.bundle, source?.name, name].map { $0 ?? "" }
    return try unionTargets.value(for: key) {
      let chosen = try name.map { try UnionName($0).positions(in: bundles, report: workspace.report).versions }
      let parts = try bundles.enumerated().map { position, versions in
        try chosen?[position].map { versions[$0] } ?? current(of: versions.first?.bundle ?? "", versions, store)
      }
      do throws(UnionError) {
        let destination = try LoadedVersion(merging: parts)
        return MigrationTarget(
          versions: UnionPath(bundles).versions(from: source, to: destination), destination: destination,
          bundleVersions: bundles.flatMap(\.self))
      } catch {
        throw WorkspaceError.unmergeable(error)
      }
    }
  }
}

extension WorkspaceError {
  /// Creates an error from a failed merge, with the locations in the files if they can be read.
  package static func unmergeable(_ error: UnionError) -> WorkspaceError {
    var elements: [ModelElement] = []
    if case .merge(let cause) = error.reason { elements = [cause.elements.first, cause.elements.second] }
    let locations = error.versions.enumerated().map { position, version -> SourceLocation? in
      let file = try? ModelBundle(at: version.bundle).version(named: version.name)?.load()
      return elements.dropFirst(position).first.flatMap { file?.location(of: $0) }
    }
    let names = zip(error.versions, locations).map { version, location in
      let name = version.bundle == version.name ? version.name : "\(version.bundle) (\(version.name))"
      return location?.description ?? name
    }
    return .unmergeable(error, names: names, location: locations.first ?? nil)
  }
}

extension LoadedWorkspace {
  /// The versions with the entities of a configuration.
  ///
  /// If a bundle's earliest versions lack the configuration, a configuration with the same entities is used, which was
  /// renamed.
  ///
  /// - Parameter versions: the versions, each bundle's oldest first.
  static func restricted(_ versions: [LoadedVersion], toConfiguration name: String) -> [LoadedVersion] {
    var members: [String: Set<String>] = [:]
    for version in versions where members[version.bundle] == nil {
      let found = version.hierarchy.model.configurations.first { $0.name == name }
      if let found { members[version.bundle] = Set(found.entityNames) }
    }
    var begun: Set<String> = []
    return versions.compactMap { version in
      if let restricted = version.restricted(toConfiguration: name) {
        begun.insert(version.bundle)
        return restricted
      }
      guard !begun.contains(version.bundle), let entities = members[version.bundle] else { return nil }
      return version.hierarchy.model.configurations.first { Set($0.entityNames) == entities }
        .flatMap { version.restricted(toConfiguration: $0.name) }
    }
  }

  /// The only configuration to consider, if the current version of a store's bundle is excluded because it lacks it.
  package func missingConfiguration(of identification: StoreIdentification) -> MissingConfiguration? {
    guard identification.target == nil, let version = identification.version,
      let bundle = bundles.first(where: { $0.path == version.bundle }), let current = try? bundle.currentVersion()
    else { return nil }
    return missingConfiguration(
      of: Set(version.hierarchy.model.entities.map(\.name)), in: bundle, version: current.name)
  }

  /// The error of a version that is excluded because it lacks the only configuration to consider.
  func configurationError(of version: String, in path: String) -> WorkspaceError? {
    guard let bundle = bundles.first(where: { $0.path == path }),
      let missing = missingConfiguration(of: [], in: bundle, version: version)
    else { return nil }
    return .unknownConfiguration(missing.name, model: "\(path) (\(version))", configurations: missing.known)
  }

  private func missingConfiguration(
    of entities: Set<String>, in bundle: ModelBundle, version name: String
  ) -> MissingConfiguration? {
    guard let configuration = workspace.configuration, let model = try? bundle.version(named: name)?.load().model else {
      return nil
    }
    return MissingConfiguration(configuration, of: entities, in: model, named: name)
  }
}
