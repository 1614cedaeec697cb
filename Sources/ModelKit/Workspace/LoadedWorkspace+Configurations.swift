import ModelDescription
import ModelFiles
package import PersistentStores

extension LoadedWorkspace {
  /// The versions as stores of a configuration see them.
  ///
  /// Before the first version of a bundle that has the configuration, one with the same entities is taken for it, which
  /// was renamed.
  ///
  /// - Parameters:
  ///   - versions: the versions, each bundle's oldest first.
  ///   - name: the configuration.
  /// - Returns: the versions that have it, by whatever name.
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

  /// The only configuration to consider, where the current version of a store's bundle is left out for want of it.
  package func missingConfiguration(of identification: StoreIdentification) -> MissingConfiguration? {
    guard identification.target == nil, let version = identification.version,
      let bundle = bundles.first(where: { $0.path == version.bundle }), let current = try? bundle.currentVersion()
    else { return nil }
    return missingConfiguration(
      of: Set(version.hierarchy.model.entities.map(\.name)), in: bundle, version: current.name)
  }

  /// What is wrong with a version that is left out for want of the only configuration to consider.
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
