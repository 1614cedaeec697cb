public import ModelDescription
public import VersionHashing

/// The model that a version had when its hashes were taken, as far as edits of what it is now explain them.
public struct FormerModel: Sendable {
  /// The model as it was; what is not explained is as it is now.
  public let hierarchy: EntityHierarchy
  /// The entities whose hashes differ, and in what.
  public let differences: [EntityDifference]

  /// Looks for the edits.
  ///
  /// - Parameters:
  ///   - version: the version as it is now.
  ///   - hashes: the hashes that it had.
  ///   - related: versions of the same bundle, whose definitions are tried.
  public init(of version: LoadedVersion, with hashes: VersionHashes, related: [LoadedVersion]) {
    let vocabulary = EditVocabulary(of: related, storeEntities: Set(hashes.entities.keys))
    (differences, hierarchy) = DifferenceExplainer.reconstruct(
      hashes, from: version, configuration: nil, vocabulary: vocabulary)
  }
}
