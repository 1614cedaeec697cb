import ModelFiles
import StoreMigration

/// How stores were migrated between the versions of a bundle at an earlier state.
struct BaseSteps: Sendable {
  /// What findings call the earlier state.
  let name: String
  /// What git finds it by; nil for a folder.
  let revision: String?
  /// The versions that could be used, oldest first.
  let versions: [LoadedVersion]
  /// The mapping models between them, each with the path it has here and the digest of its file.
  let mappings: [(mapping: KnownMapping, path: String, digest: String)]
  /// The digests of the mapping models by the versions they are between.
  let digests: [VersionPair: Set<String>]
  private let routes: MigrationRoutes
  private let positions: [String: Int]

  init(
    name: String, revision: String?, versions: [LoadedVersion],
    mappings: [(mapping: KnownMapping, path: String, digest: String)], unusable: [UnusableMapping]
  ) {
    (self.name, self.revision, self.versions, self.mappings) = (name, revision, versions, mappings)
    positions = Dictionary(versions.indices.map { (versions[$0].name, $0) }) { first, _ in first }
    digests = mappings.reduce(into: [:]) { found, mapping in
      let pair = VersionPair(source: mapping.mapping.source.name, destination: mapping.mapping.destination.name)
      found[pair, default: []].insert(mapping.digest)
    }
    routes = MigrationRoutes(mappings: mappings.map(\.mapping), unusable: unusable)
  }

  /// A version by its name.
  func version(named name: String) -> LoadedVersion? { positions[name].map { versions[$0] } }

  /// The step between two versions as it was then; nil when one of them was not there.
  func step(_ pair: VersionPair) -> VersionStep? {
    guard let source = version(named: pair.source), let destination = version(named: pair.destination) else {
      return nil
    }
    return VersionStep(from: source, to: destination, by: routes)
  }
}
