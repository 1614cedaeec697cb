import Foundation
import ModelDescription
import PersistentStores
import VersionHashing

/// The version of a store among those of a bundle, with the versions as a store of its configuration sees them.
struct SourceVersion {
  /// The store's version.
  let version: VersionNode
  /// The bundle's versions, restricted to the store's configuration.
  let versions: [VersionNode]
  /// The version to reach, restricted likewise.
  let destination: VersionNode

  /// Finds the version whose hashes a store records.
  ///
  /// - Parameters:
  ///   - hashes: what the store records.
  ///   - cachedModel: the model inside the store, used when no version of the bundle has the hashes.
  ///   - versions: the bundle's versions, oldest first.
  ///   - destination: the version to reach.
  /// - Returns: nil when nothing has the hashes.
  init?(
    _ hashes: VersionHashes, cachedModel: ManagedObjectModel?, among versions: [VersionNode], to destination: VersionNode
  ) {
    if let version = versions.first(where: { $0.hashes == hashes }) {
      (self.version, self.versions, self.destination) = (version, versions, destination)
      return
    }
    for version in versions.reversed() {
      for configuration in version.hierarchy.model.configurations {
        guard let restricted = version.restricted(to: configuration.name), restricted.hashes == hashes,
          let target = destination.restricted(to: configuration.name)
        else { continue }
        self.version = restricted
        self.versions = versions.compactMap { $0.restricted(to: configuration.name) }
        self.destination = target
        return
      }
    }
    guard let cachedModel, let hierarchy = try? EntityHierarchy(cachedModel),
      let cached = try? VersionNode(name: "the store's cached model", hierarchy: hierarchy), cached.hashes == hashes
    else { return nil }
    (version, self.versions, self.destination) = (cached, versions, destination)
  }
}

extension VersionNode {
  /// The version as a store of one of its configurations sees it, nil without that configuration.
  func restricted(to configuration: String) -> VersionNode? {
    guard let model = hierarchy.model.restricted(toConfiguration: configuration),
      let hierarchy = try? EntityHierarchy(model)
    else { return nil }
    return try? VersionNode(name: name, hierarchy: hierarchy)
  }
}
