import ModelKit

/// The bundle's versions for a store and the one to reach.
struct MigrationTarget {
  /// The versions, oldest first.
  let versions: [KnownVersion]
  /// The version to reach.
  let destination: KnownVersion

  /// Finds the bundle that a store belongs to.
  ///
  /// - Parameters:
  ///   - store: the store's path.
  ///   - bundles: the bundles to choose from.
  ///   - name: the version to reach; nil for the bundle's current one.
  init(of store: String, in bundles: [ModelBundle], to name: String?) throws {
    let (known, failures) = KnownVersion.load(from: bundles)
    guard !known.isEmpty else {
      if let failure = failures.first {
        throw CommandError.brokenVersion(bundle: failure.bundle, version: failure.version, reason: failure.reason)
      }
      throw CommandError.noBundle(folder: ".")
    }
    let reader = try StoreReader(path: store)
    defer { reader.close() }
    let identification = try reader.identify(among: known)
    let paths = Set(known.map(\.bundle))
    let bundle = identification.version?.bundle ?? identification.nearest?.version.bundle
    guard let bundle = bundle ?? (paths.count == 1 ? paths.first : nil) else {
      throw CommandError.noVersionToReach(store: store)
    }
    versions = known.filter { $0.bundle == bundle }
    let names = versions.map(\.name)
    if let name {
      if let broken = failures.first(where: { $0.bundle == bundle && $0.version == name }) {
        throw CommandError.brokenVersion(bundle: bundle, version: name, reason: broken.reason)
      }
      guard let version = versions.first(where: { $0.name == name }) else {
        throw CommandError.unknownVersion(name: name, bundle: bundle, versions: names)
      }
      destination = version
    } else if let current = versions.first(where: \.isCurrent) {
      destination = current
    } else {
      let current = bundles.first { $0.path == bundle }?.currentVersionName
      if let broken = failures.first(where: { $0.bundle == bundle && $0.version == current }) {
        throw CommandError.brokenVersion(bundle: bundle, version: broken.version, reason: broken.reason)
      }
      throw CommandError.noVersionToReach(store: store)
    }
  }
}
