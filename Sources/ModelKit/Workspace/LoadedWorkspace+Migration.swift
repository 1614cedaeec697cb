package import MappingModels
import ModelChecks
package import ModelDescription
public import ModelFiles
public import PersistentStores
public import StoreMigration

extension LoadedWorkspace {
  /// The mapping models between versions, and the files that cannot be used.
  public typealias Mappings = (mappings: [KnownMapping], unusable: [UnusableMapping])

  /// The key of a finder of paths.
  struct PathsKey: Hashable, Sendable {
    let target: [String]
    let inference: InferenceOptions
    let isDirect: Bool
  }

  /// The migration of a store, as a request that `StoreMigrator` plans and runs.
  ///
  /// - Parameters:
  ///   - store: the store's path.
  ///   - name: the destination; nil for the current version of the store's bundle.
  ///   - busyTimeout: the seconds to wait for another process.
  /// - Returns: the request, with the mapping models of the workspace.
  public func migration(
    of store: String, to name: String? = nil, busyTimeout: Double = StoreWriter.defaultBusyTimeout
  ) throws -> MigrationRequest {
    var request = try migration(of: store, to: target(of: store, to: name, busyTimeout: busyTimeout))
    request.busyTimeout = busyTimeout
    return request
  }

  /// The migration of a store whose target is known.
  ///
  /// - Parameters:
  ///   - isDirect: whether to migrate directly from the first version to the last.
  ///   - inference: conversions and values in addition to Core Data's inference, computed after the mapping
  ///     models are read.
  package func migration(
    of store: String, to target: MigrationTarget, isDirect: Bool = false,
    inferring inference: @autoclosure () throws -> InferenceOptions = InferenceOptions()
  ) throws -> MigrationRequest {
    MigrationRequest(
      path: store, versions: target.versions, destination: target.destination,
      pathFinder: try pathFinder(to: target, isDirect: isDirect, inferring: inference()))
  }

  /// The finder of paths to a target, shared by all stores, so that each step is inferred once.
  package func pathFinder(
    to target: MigrationTarget, isDirect: Bool = false,
    inferring inference: @autoclosure () throws -> InferenceOptions = InferenceOptions()
  ) throws -> MigrationPathFinder {
    let (written, unusable) = try mappings(for: target)
    let key = PathsKey(target: Self.key(of: target), inference: try inference(), isDirect: isDirect)
    return try pathFinder.value(for: key) {
      MigrationPathFinder(options: key.inference, mappings: written, unusable: unusable, isDirect: isDirect)
    }
  }

  /// The mapping models that may lead to a target, read once.
  ///
  /// - Returns: the mapping models, and the files that cannot be used.
  /// - Throws: ``WorkspaceError`` if a named mapping model cannot be used, or if a found mapping model cannot be read.
  public func mappings(for target: MigrationTarget) throws -> Mappings {
    try mappings.value(for: Self.key(of: target)) { try mappings(among: target.mappableVersions) }
  }

  /// The mapping models between versions: the named ones, or those that are found near the bundles.
  package func mappings(among versions: [LoadedVersion]) throws -> Mappings {
    switch workspace.mappings {
    case .none: return ([], [])
    case .files(let paths):
      let (mappings, failures) = KnownMapping.load(
        from: paths, among: versions, replacing: try workspace.models.configuration().policies)
      if let failure = failures.first { throw WorkspaceError.badMapping(failure) }
      return (mappings, [])
    case .found:
      let bundles = Set(versions.map { MergedName($0.bundleName) })
      let found =
        try workspace.models.isOfNamed
        ? NamedMappings.paths(beside: self.bundles.map(\.path))
        : workspace.models.search().mappings(near: workspace.paths)
      let paths = found.filter {
        MappingPath.bundleName(of: $0).map { bundles.contains(MergedName($0)) } ?? true
      }
      let (mappings, failures) = KnownMapping.load(
        from: paths, among: versions, replacing: try workspace.models.configuration().policies)
      for failure in failures {
        guard case .unreadable = failure.refusal else { continue }
        throw WorkspaceError.brokenMapping(failure)
      }
      return (mappings, failures)
    }
  }

  /// The stages of Core Data's own staged migration.
  ///
  /// - Parameters:
  ///   - store: the store's path; nil for a store of any version.
  ///   - name: the destination; nil for the bundle's current version.
  /// - Throws: `StagedMigrationRefusal` for steps that Core Data cannot do, and as ``path(of:to:)`` and
  ///   ``mappings(for:)``.
  package func stagedMigration(of store: String?, to name: String?) throws -> (stages: StagedMigration, bundle: String)
  {
    let path = try path(of: store, to: name)
    let (written, unusable) = try mappings(among: versions.filter { $0.bundle == path.first?.bundle })
    return (try StagedMigration(through: path, mappings: written, unusable: unusable), path.first?.bundleName ?? "")
  }

  /// The identity of a target: paths to a merged version depend on its first part.
  private static func key(of target: MigrationTarget) -> [String] {
    let start = target.destination.parts.isEmpty ? nil : target.versions.first?.name
    return [target.destination.bundle, target.destination.name] + [start].compactMap { $0 }
  }
}

/// A bundle's versions for a store, and the destination.
public struct MigrationTarget: Sendable {
  /// The versions, oldest first; for a merged model, the versions on the path.
  public let versions: [LoadedVersion]
  /// The destination version.
  public let destination: LoadedVersion
  /// The versions of the merged bundles; empty for a single bundle.
  package internal(set) var bundleVersions: [LoadedVersion] = []

  /// The versions that mapping models can connect.
  package var mappableVersions: [LoadedVersion] { versions + bundleVersions }
  /// The identification of the store; nil if the target is not for a single store.
  public internal(set) var source: StoreIdentification?
  /// Whether the store is not an SQLite store, so that a temporary SQLite copy is migrated.
  package internal(set) var isReadWhole = false

  /// The models whose names are valid for the store: the models of the versions, and its own model if no bundle has it.
  package var models: [EntityHierarchy] {
    let own = source?.version == nil ? source?.model.flatMap { try? EntityHierarchy($0) } : source?.version?.hierarchy
    return versions.map(\.hierarchy) + [own].compactMap { $0 }
  }

  /// The versions on the path of a store after its own, including the destination; if its own version is not among
  /// them, all versions up to the destination.
  package var passed: [LoadedVersion] {
    guard let end = versions.firstIndex(where: { $0.name == destination.name }) else { return [destination] }
    guard let name = source?.version?.name, let start = versions.firstIndex(where: { $0.name == name }) else {
      return Array(versions[...end])
    }
    return start < end ? Array(versions[(start + 1)...end]) : []
  }
}
