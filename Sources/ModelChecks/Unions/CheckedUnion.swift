public import PersistentStores

/// Bundles that the app merges into one model, with everything that rules about them ask.
public struct CheckedUnion: Sendable {
  /// The versions of each bundle that can be used, oldest first.
  public let bundles: [[CheckedVersion]]
  /// The mapping models between them.
  public let mappings: [KnownMapping]
  /// The mapping models found that cannot be used.
  public let unusableMappings: [UnusableMapping]
  /// What each entity loses that moves, by the version it moves from.
  let moves = KeyedMemory<String, [String: [VersionStep.Loss]]?>()

  /// Makes a union.
  public init(bundles: [[CheckedVersion]], mappings: [KnownMapping] = [], unusableMappings: [UnusableMapping] = []) {
    (self.bundles, self.mappings, self.unusableMappings) = (bundles, mappings, unusableMappings)
  }

  /// The current version of each bundle; nil when one has none, which another rule reports.
  var currentVersions: [CheckedVersion]? {
    let current = bundles.compactMap { $0.first(where: \.known.isCurrent) }
    return current.count == bundles.count ? current : nil
  }
}
