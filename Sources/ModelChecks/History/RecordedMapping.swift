import ModelDescription
import ModelFiles

/// A mapping model between two versions of a bundle as the lock file or an earlier state has it.
struct RecordedMapping: Sendable {
  /// The versions, by the names they have now.
  let versions: VersionPair
  let path: String
  let digest: String
  /// Who says so: the name of the lock file, or of the base.
  let evidence: String
  /// A revision of git that has it so; nil when none is known.
  let revision: String?
  /// The path of the file in the folder that is the base; nil without such a folder.
  let copy: String?
  /// True where users were migrated with it.
  let isReleased: Bool
}

extension BundleHistory {
  /// What the lock files and the base say of mapping models that lead to newer versions.
  var recordedMappings: [RecordedMapping] {
    var found = lockedMappings(lock)
    if let baseLock, let base { found += lockedMappings(baseLock, name: base.name) }
    return found + baseMappings
  }

  /// The digests of the mapping models here that lead to newer versions.
  var mappingDigests: [VersionPair: Set<String>] {
    digestMemory.value {
      let digests = digestsByPath
      return ascendingMappings.reduce(into: [:]) { found, mapping in
        guard let digest = digests[mapping.path] else { return }
        found[mapping.versions, default: []].insert(digest)
      }
    }
  }

  /// The paths of the mapping models that lead to newer versions of this bundle, by themselves or merged with others.
  var ascendingMappings: [(path: String, versions: VersionPair)] {
    let own = mappings.map { (path: $0.path, source: $0.source.name, destination: $0.destination.name) }
    let merged = unions.flatMap(\.mappings).compactMap {
      mapping -> (path: String, source: String, destination: String)? in
      guard let source = part(of: mapping.source), let destination = part(of: mapping.destination) else { return nil }
      return (mapping.path, source, destination)
    }
    return (own + merged).compactMap { path, source, destination in
      ascending(source, destination).map { (path, $0) }
    }
  }

  private func part(of merged: LoadedVersion) -> String? {
    merged.parts.first { RealPath.of($0.bundle) == RealPath.of(bundle.path) }?.name
  }

  /// The digests of the files of mapping models by their paths.
  var digestsByPath: [String: String] {
    Dictionary(mappingReadings.compactMap { reading in reading.digest.map { (reading.path, $0) } }) { first, _ in first
    }
  }

  /// Two versions of the bundle, nil unless the first comes before the second.
  func ascending(_ source: String, _ destination: String) -> VersionPair? {
    guard let start = position(of: source), let end = position(of: destination), start < end else { return nil }
    return VersionPair(source: source, destination: destination)
  }

  private func lockedMappings(_ recorded: LockFile?, name: String? = nil) -> [RecordedMapping] {
    guard let recorded else { return [] }
    return recorded.sortedEntries(.released).flatMap { destination, entry in
      entry.mappings.sorted { $0.key < $1.key }.flatMap { source, files -> [RecordedMapping] in
        guard let versions = ascending(source, destination) else { return [] }
        return files.sorted { $0.key < $1.key }.map { place, digest in
          RecordedMapping(
            versions: versions, path: LockFile(path: lockPath).path(of: place), digest: digest,
            evidence: name ?? BundlePath.lastComponent(recorded.path), revision: committedMappings[digest], copy: nil,
            isReleased: true)
        }
      }
    }
  }

  private var baseMappings: [RecordedMapping] {
    guard let base else { return [] }
    return base.mappings.compactMap { mapping, path, digest in
      guard let source = name(now: mapping.source), let destination = name(now: mapping.destination),
        let versions = ascending(source, destination)
      else { return nil }
      return RecordedMapping(
        versions: versions, path: path, digest: digest, evidence: base.name, revision: base.revision,
        copy: base.revision == nil ? mapping.path : nil,
        isReleased: !canChange(source) && !canChange(destination))
    }
  }

  /// What a version of an earlier state is called now.
  private func name(now recorded: LoadedVersion) -> String? {
    version(named: recorded.name)?.name ?? versions.first { $0.versionHashes == recorded.versionHashes }?.name
  }
}

/// The names of two versions that a step leads between.
struct VersionPair: Hashable, Sendable {
  let source: String
  let destination: String
}
