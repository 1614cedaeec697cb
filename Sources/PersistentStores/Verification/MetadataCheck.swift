import ModelDescription
import VersionHashing

/// Whether the metadata fits the model and itself.
enum MetadataCheck {
  static func problems(of metadata: StoreMetadata, hierarchy: EntityHierarchy) throws -> [StoreFinding] {
    var problems: [StoreFinding] = []
    let expected = try VersionHashes(of: hierarchy).entities
    let actual = metadata.versionHashes.entities
    for name in Set(expected.keys).union(actual.keys).sorted() where expected[name] != actual[name] {
      let sentence =
        switch (expected[name], actual[name]) {
        case (_, nil): "the metadata has no version hash for it"
        case (nil, _): "the metadata has a version hash for it, though the model has no such entity"
        default: "the metadata's version hash is not the model's"
        }
      problems.append(StoreFinding(.versionHashes, entity: name, sentence: sentence))
    }
    if let digest = metadata.digest, digest != metadata.versionHashes.digest {
      problems.append(
        StoreFinding(.digest, severity: .warning, sentence: "the metadata's digest does not fit its version hashes"))
    }
    if let checksum = metadata.checksum, checksum != metadata.versionHashes.checksum {
      problems.append(
        StoreFinding(.digest, severity: .warning, sentence: "the metadata's checksum does not fit its version hashes"))
    }
    return problems
  }

  static func problems(of cachedModel: CachedModel, metadata: StoreMetadata) -> [StoreFinding] {
    switch StoreIdentification(of: metadata, cachedModel: cachedModel, among: []).cache {
    case .absent, .fresh: []
    case .stale:
      [StoreFinding(.cachedModel, severity: .warning, sentence: "the cached model is of another version than the rows")]
    case .unreadable(let error):
      [StoreFinding(.cachedModel, severity: .warning, sentence: "the cached model cannot be read: \(error)")]
    }
  }
}
