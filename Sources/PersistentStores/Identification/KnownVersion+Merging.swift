import ModelDescription
import VersionHashing

extension KnownVersion {
  /// What stands between the bundles and the version names of a merged model.
  private static let separator = " + "

  /// Finds the versions of several bundles that together are a store's model, as an app has them that merges all models
  /// of its bundles (`NSManagedObjectModel.mergedModel(from:)`).
  ///
  /// - Parameters:
  ///   - hashes: the store's hashes.
  ///   - versions: the versions to choose from, in the order in which they are preferred.
  /// - Returns: the merged model that wrote the store and the one of the same bundles' current versions; nil when the
  ///   store is not made of whole models.
  static func merged(
    _ hashes: VersionHashes, from versions: [KnownVersion]
  ) -> (version: KnownVersion, target: KnownVersion?)? {
    let parts = versions.filter { version in
      let own = version.versionHashes.entities
      return !own.isEmpty && own.allSatisfy { hashes.entities[$0.key] == $0.value }
    }
    var chosen: [KnownVersion] = []
    var covered: Set<String> = []
    for part in parts.sorted(by: isPreferred) where covered.isDisjoint(with: part.versionHashes.entities.keys) {
      guard !chosen.contains(where: { $0.bundle == part.bundle }) else { continue }
      chosen.append(part)
      covered.formUnion(part.versionHashes.entities.keys)
    }
    guard chosen.count > 1, covered.count == hashes.entities.count, let version = try? KnownVersion(merging: chosen)
    else { return nil }
    let current = chosen.compactMap { part in versions.first { $0.bundle == part.bundle && $0.isCurrent } }
    return (version, current.count == chosen.count ? try? KnownVersion(merging: current) : nil)
  }

  /// The larger model first, of equal ones the current version.
  private static func isPreferred(_ first: KnownVersion, to second: KnownVersion) -> Bool {
    let counts = (first.versionHashes.entities.count, second.versionHashes.entities.count)
    return counts.0 == counts.1 ? first.isCurrent && !second.isCurrent : counts.0 > counts.1
  }

  private init(merging versions: [KnownVersion]) throws(ModelStructureError) {
    let models = versions.map(\.hierarchy.model)
    try self.init(
      bundle: versions.map(\.bundle).joined(separator: Self.separator),
      name: versions.map(\.name).joined(separator: Self.separator), isCurrent: versions.allSatisfy(\.isCurrent),
      model: ManagedObjectModel(
        entities: models.flatMap(\.entities), composites: models.flatMap(\.composites),
        configurations: models.flatMap(\.configurations), fetchRequests: models.flatMap(\.fetchRequests),
        versionIdentifiers: models.flatMap(\.versionIdentifiers)))
  }
}
