import MappingModels
import PersistentStores
import VersionHashing

/// The written mapping models there are, looked up by the versions they map.
struct WrittenMappings: Sendable {
  private struct Pair: Hashable {
    let source: VersionHashes
    let destination: VersionHashes
  }

  private let mappings: [Pair: [KnownMapping]]

  init(_ mappings: [KnownMapping]) {
    self.mappings = Dictionary(grouping: mappings) {
      Pair(source: $0.source.versionHashes, destination: $0.destination.versionHashes)
    }
  }

  var isEmpty: Bool { mappings.isEmpty }

  /// True when a mapping model leads from one version to the other.
  func lead(from source: KnownVersion, to destination: KnownVersion) -> Bool {
    mappings[Pair(source: source.versionHashes, destination: destination.versionHashes)] != nil
  }

  /// The mapping model from one version to the other.
  ///
  /// - Throws: ``MigrationRefusal/severalMappings(_:from:to:)`` when several say different things.
  func mapping(from source: KnownVersion, to destination: KnownVersion) throws(MigrationRefusal) -> KnownMapping? {
    let pair = Pair(source: source.versionHashes, destination: destination.versionHashes)
    guard let candidates = mappings[pair], let first = candidates.first else { return nil }
    guard candidates.allSatisfy({ $0.model == first.model }) else {
      throw .severalMappings(candidates.map(\.path).sorted(), from: source.name, to: destination.name)
    }
    return first
  }
}
