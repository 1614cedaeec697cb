import MappingModels
import VersionHashing

/// The versions there are, looked up by what mapping models say of them.
public struct VersionIndex: Sendable {
  /// An entity as a version has it.
  private struct EntityHash: Hashable {
    let name: String
    let hash: VersionHash
  }

  /// The versions in the order in which they are preferred.
  public let versions: [LoadedVersion]
  private let byHashes: [VersionHashes: [Int]]
  private let byName: [String: [Int]]
  private let byMergedName: [MergedName: [Int]]
  private let byBundleName: [MergedName: [Int]]
  private let byEntity: [EntityHash: [Int]]

  /// Indexes versions.
  ///
  /// - Parameter versions: the versions in the order in which they are preferred.
  public init(_ versions: [LoadedVersion]) {
    self.versions = versions
    byHashes = Dictionary(grouping: versions.indices) { versions[$0].versionHashes }
    byName = Dictionary(grouping: versions.indices) { versions[$0].name }
    byMergedName = Dictionary(grouping: versions.indices.filter { !versions[$0].parts.isEmpty }) {
      MergedName(versions[$0].name)
    }
    byBundleName = Dictionary(grouping: versions.indices) { MergedName(versions[$0].bundleName) }
    var byEntity: [EntityHash: [Int]] = [:]
    for (position, version) in versions.enumerated() {
      for (name, hash) in version.versionHashes.entities {
        byEntity[EntityHash(name: name, hash: hash), default: []].append(position)
      }
    }
    self.byEntity = byEntity
  }

  /// The versions with these hashes; where there is none, the merged version that has them.
  func versions(with hashes: VersionHashes) -> [LoadedVersion] {
    byHashes[hashes].map { found in found.map { versions[$0] } } ?? merged(with: hashes)
  }

  /// The version that is merged of those of several bundles, and has these hashes.
  private func merged(with hashes: VersionHashes) -> [LoadedVersion] {
    guard let parts = LoadedVersion.parts(of: hashes, among: versions.filter(\.parts.isEmpty)),
      let merged = try? LoadedVersion(merging: parts)
    else { return [] }
    return [merged]
  }

  /// The versions of this name; of a merged model's name, whose parts may have any order, the merged version.
  func versions(named name: String) -> [LoadedVersion] {
    let merged = MergedName(name)
    if let found = byName[name] ?? byMergedName[merged] { return found.map { versions[$0] } }
    return [LoadedVersion.merged(named: merged, among: versions)].compactMap { $0 }
  }

  /// The versions of the bundles of this name; the parts of a merged model's may have any order.
  func versions(ofBundle name: String) -> [LoadedVersion] {
    (byBundleName[MergedName(name)] ?? []).map { versions[$0] }
  }

  /// The versions that a mapping model was made with, by the names of version and bundle.
  func versions(named snapshot: MappingModelSnapshot) -> [LoadedVersion] {
    let parts = snapshot.versionPath.split(separator: "/")
    return versions(named: snapshot.versionName).filter { version in parts.contains { $0 == version.bundleFileName } }
  }

  /// The versions that have every one of these entities with the hash stated beside it; none when nothing is stated.
  ///
  /// A merged one has no other entities, which would be left unmapped.
  func versions(with entities: [(name: String, hash: VersionHash?)]) -> [LoadedVersion] {
    var common: [Int]?
    var hashes: [String: VersionHash] = [:]
    for entity in entities {
      guard let hash = entity.hash, let found = byEntity[EntityHash(name: entity.name, hash: hash)],
        hashes.updateValue(hash, forKey: entity.name) ?? hash == hash
      else { return [] }
      // A version has an entity once, so that the lists are in order without repetition.
      common = common.map { Array(Set($0).intersection(found)).sorted() } ?? found
    }
    let found = (common ?? []).map { versions[$0] }.filter {
      $0.parts.isEmpty || $0.versionHashes.entities.count == hashes.count
    }
    return found.isEmpty ? merged(with: VersionHashes(entities: hashes)) : found
  }
}
