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
  struct RoutesKey: Hashable, Sendable {
    let target: [String]
    let inference: InferenceOptions
    let isDirect: Bool
  }

  /// The migration of a store, as a request that `StoreMigrator` plans and runs.
  ///
  /// - Parameters:
  ///   - store: the store's path.
  ///   - name: the version to reach; nil for the current one of the store's bundle.
  ///   - busyTimeout: how many seconds to wait for another process.
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
  ///   - isDirect: true to go straight from the first version to the last.
  ///   - inference: conversions and values beyond what Core Data infers, made after the mapping models are read.
  package func migration(
    of store: String, to target: MigrationTarget, isDirect: Bool = false,
    inferring inference: @autoclosure () throws -> InferenceOptions = InferenceOptions()
  ) throws -> MigrationRequest {
    MigrationRequest(
      path: store, versions: target.versions, destination: target.destination,
      routes: try routes(to: target, isDirect: isDirect, inferring: inference()))
  }

  /// The finder of paths to a target, one for all stores, so that nothing is inferred twice.
  package func routes(
    to target: MigrationTarget, isDirect: Bool = false,
    inferring inference: @autoclosure () throws -> InferenceOptions = InferenceOptions()
  ) throws -> MigrationRoutes {
    let (written, unusable) = try mappings(for: target)
    let key = RoutesKey(target: Self.key(of: target), inference: try inference(), isDirect: isDirect)
    return try routes.value(for: key) {
      MigrationRoutes(options: key.inference, mappings: written, unusable: unusable, isDirect: isDirect)
    }
  }

  /// The mapping models that may lead to a target, read once.
  ///
  /// - Returns: the mapping models, and the files that cannot be used.
  /// - Throws: ``WorkspaceError`` when one that was named cannot be used, or one that was found cannot be read.
  public func mappings(for target: MigrationTarget) throws -> Mappings {
    try mappings.value(for: Self.key(of: target)) { try mappings(among: target.mappableVersions) }
  }

  /// The mapping models between versions, those found by themselves or the ones named.
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

  /// The stages in which Core Data itself would migrate.
  ///
  /// - Parameters:
  ///   - store: the store's path; nil for every version there may be a store of.
  ///   - name: the version to reach; nil for the bundle's current one.
  /// - Throws: `StagedMigrationRefusal` for what it cannot do, and as ``path(of:to:)`` and ``mappings(for:)``.
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

/// A bundle's versions for a store and the one to reach.
public struct MigrationTarget: Sendable {
  /// The versions, oldest first; of a merged model, those on the path.
  public let versions: [LoadedVersion]
  /// The version to reach.
  public let destination: LoadedVersion
  /// The versions of the bundles that are merged; none for a single bundle.
  package internal(set) var bundleVersions: [LoadedVersion] = []

  /// The versions that mapping models may be between.
  package var mappableVersions: [LoadedVersion] { versions + bundleVersions }
  /// The identification of the store; nil if the target is not for a single store.
  public internal(set) var source: StoreIdentification?
  /// True for a store of a kind that is read as a whole, for which a SQLite store stands while it is migrated.
  package internal(set) var isReadWhole = false

  /// The models whose names mean something for the store: the versions', and its own when no bundle has it.
  package var models: [EntityHierarchy] {
    let own = source?.version == nil ? source?.model.flatMap { try? EntityHierarchy($0) } : source?.version?.hierarchy
    return versions.map(\.hierarchy) + [own].compactMap { $0 }
  }

  /// The versions that a store passes after its own, the one to reach included; all before that when its own is not
  /// among them.
  package var passed: [LoadedVersion] {
    guard let end = versions.firstIndex(where: { $0.name == destination.name }) else { return [destination] }
    guard let name = source?.version?.name, let start = versions.firstIndex(where: { $0.name == name }) else {
      return Array(versions[...end])
    }
    return start < end ? Array(versions[(start + 1)...end]) : []
  }
}
