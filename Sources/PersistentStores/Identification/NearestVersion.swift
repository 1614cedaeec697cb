import ModelDescription
public import VersionHashing

/// The model version that differs from a store in the fewest entities, and in what.
public struct NearestVersion: Sendable {
  /// The version.
  public let version: KnownVersion
  /// The configuration that was compared; nil for the whole model.
  public let configuration: String?
  /// The entities that differ, parents before their sub-entities, then those the version lacks.
  public let differences: [EntityDifference]

  /// Finds the nearest version and explains each difference by an edit or two, where such an edit reproduces the
  /// store's hash.
  ///
  /// - Parameters:
  ///   - hashes: the store's hashes.
  ///   - versions: the versions to choose from; of equally near ones the later wins; nil is the answer
  ///     when none has an entity in common with the store.
  public init?(to hashes: VersionHashes, among versions: [KnownVersion]) {
    var best: (version: KnownVersion, configuration: String?, distance: Int)?
    for version in versions {
      for configuration in version.configurations {
        guard let candidate = version.versionHashes(ofConfiguration: configuration),
          candidate.entities.keys.contains(where: { hashes.entities[$0] != nil })
        else { continue }
        let distance = Self.distance(candidate, hashes)
        let isNearer = best.map { distance < $0.distance || (distance == $0.distance && configuration == nil) }
        if isNearer ?? true { best = (version, configuration, distance) }
      }
    }
    guard let best else { return nil }
    version = best.version
    configuration = best.configuration
    let related = versions.filter { $0.bundle == best.version.bundle }
    differences = DifferenceExplainer.explain(
      hashes, against: best.version, configuration: best.configuration,
      vocabulary: EditVocabulary(of: related, storeEntities: Set(hashes.entities.keys)))
  }

  /// The number of entities that only one side has or whose hashes differ.
  private static func distance(_ first: VersionHashes, _ second: VersionHashes) -> Int {
    let names = Set(first.entities.keys).union(second.entities.keys)
    return names.count { first.entities[$0] != second.entities[$0] }
  }
}

extension NearestVersion: CustomStringConvertible {
  /// The version and its differences in one sentence, such as `v7, but Order.total was still optional`.
  public var description: String {
    let place = version.name + (configuration.map { " (configuration \($0))" } ?? "")
    return "\(place), but \(differences.map(\.description).joined(separator: "; "))"
  }
}
