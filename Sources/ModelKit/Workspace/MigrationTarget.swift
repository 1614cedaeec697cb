package import ModelDescription
public import ModelFiles
public import PersistentStores

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
  /// What the store was identified as; nil when the target is not one store's.
  public internal(set) var source: StoreIdentification?

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
