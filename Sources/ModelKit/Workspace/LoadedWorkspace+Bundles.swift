import ModelDescription
package import ModelFiles
package import PersistentStores
import StoreMigration
import VersionHashing

extension LoadedWorkspace {
  /// The orders of the versions of the bundles, by the bundles' paths.
  package var sequences: [String: VersionSequence] {
    Dictionary(bundles.map { ($0.path, $0.sequence) }) { first, _ in first }
  }

  /// The versions of each bundle, oldest first; of bundles that are merged, the merged versions.
  package func bundlesVersions() throws -> [[LoadedVersion]] {
    if versions.isEmpty, let failure = failures.first { throw WorkspaceError.brokenVersion(failure) }
    guard !versions.isEmpty else { throw try workspace.models.noBundle(under: place) }
    if mergesBundles { return [try unionTarget(among: bundleVersions, from: nil, to: nil, place).versions] }
    return bundleVersions
  }

  var bundleVersions: [[LoadedVersion]] {
    let versions = Dictionary(grouping: versions, by: \.bundle)
    return bundles.compactMap { versions[$0.path] }
  }

  /// The versions of each bundle and its destination.
  ///
  /// - Parameter name: the destination, of the only bundle or as `Bundle@version`; nil for the current versions.
  /// - Throws: ``WorkspaceError`` if there is no bundle, if the version is not clear, or if a bundle does not have it.
  package func targets(to name: String?) throws -> [MigrationTarget] {
    if mergesBundles { return [try unionTarget(among: bundleVersions, from: nil, to: name, place)] }
    let paths = try bundlesVersions().compactMap(\.first?.bundle)
    let (bundle, version) = qualified(name)
    if let bundle { return [try target(in: bundle, to: version, bundle)] }
    guard version == nil || paths.count == 1 else {
      throw WorkspaceError.severalBundles(folder: place, candidates: paths)
    }
    return try paths.map { try target(in: $0, to: version, $0) }
  }

  /// A target with the stores that are to get there.
  package typealias StoreTarget = (target: MigrationTarget, stores: [String])

  /// The targets of stores, each with all of its stores; if no stores are given, the targets of every bundle.
  ///
  /// - Parameter name: the destination; nil for the bundles' current versions.
  /// - Returns: each target once, in the order of the stores.
  package func targets(of stores: [String], to name: String?) throws -> [StoreTarget] {
    guard !stores.isEmpty else { return try targets(to: name).map { ($0, []) } }
    var found: [StoreTarget] = []
    for store in stores {
      let target = try target(of: store, to: name)
      let position = found.firstIndex { other, _ in
        (other.destination.bundle, other.destination.name) == (target.destination.bundle, target.destination.name)
          && other.versions.map(\.name) == target.versions.map(\.name)
      }
      if let position { found[position].stores.append(store) } else { found.append((target, [store])) }
    }
    return found
  }

  /// The versions on the path of a store, or from the oldest version, to the destination.
  ///
  /// - Parameters:
  ///   - store: the store's path; nil for a store of any version.
  ///   - name: the destination; nil for the bundle's current version.
  /// - Returns: the versions, oldest first; versions with equal hashes are listed once.
  package func path(of store: String?, to name: String?) throws -> [LoadedVersion] {
    guard let store else {
      if mergesBundles { throw WorkspaceError.unionOnly(name: place, what: "a staged migration") }
      let paths = Set(versions.map(\.bundle)).sorted()
      let (bundleName, version) = qualified(name)
      guard let bundle = bundleName ?? (paths.count == 1 ? paths.first : nil) else {
        if paths.isEmpty { throw try workspace.models.noBundle(under: place) }
        throw WorkspaceError.severalBundles(folder: place, candidates: paths)
      }
      let target = try target(in: bundle, to: version, bundle)
      return Array(target.versions.prefix { $0.name != target.destination.name }) + [target.destination]
    }
    let target = try target(of: store, to: name)
    guard target.destination.parts.isEmpty else {
      throw WorkspaceError.unionOnly(name: target.destination.name, what: "a staged migration")
    }
    let reader = try reader(of: store)
    defer { reader.close() }
    let found = try reader.identify(among: target.versions).version
    guard let start = target.versions.firstIndex(where: { $0.name == found?.name }),
      let end = target.versions.firstIndex(where: { $0.name == target.destination.name }), start <= end
    else { throw WorkspaceError.noPath(store: store, version: target.destination.name) }
    return Array(target.versions[start...end])
  }

  /// The bundles that also have the version of a store, except compiled copies.
  package func otherBundles(of identification: StoreIdentification) -> [String] {
    identification.version.map(otherBundles) ?? []
  }

  func otherBundles(of version: LoadedVersion) -> [String] {
    let bundles = versions.filter { $0.versionHashes == version.versionHashes && $0.bundle != version.bundle }
      .map(\.bundle)
    let isCompiled = { (path: String) in path.hasSuffix(".mom") || path.hasSuffix(".momd") }
    return Set(bundles).filter { isCompiled(version.bundle) || !isCompiled($0) }.sorted()
  }

  /// A text that changes if the destination of a current store may change.
  ///
  /// - Parameter name: the destination; nil for the bundles' current versions.
  /// - Returns: the versions, the current versions among them, and the options.
  package func goal(to name: String?) -> String {
    let known = versions.map { "\($0.bundleFileName)@\($0.name) \($0.versionHashes.checksum) \($0.isCurrent)" }
    let choices = ["to \(name ?? "current")", "configuration \(workspace.configuration ?? "any")"]
    return (known + choices + (mergesBundles ? ["merged"] : [])).joined(separator: "\n")
  }
}

extension ModelBundle {
  /// The error of a bundle whose current version does not exist; nil for other bundles.
  package var currentVersionError: ModelFileError? {
    do {
      _ = try currentVersion()
      return nil
    } catch {
      if case .currentVersionMissing = error { return error }
      return nil
    }
  }
}
