import ModelDescription
import ModelFiles
import StoreMigration

/// A changed or deleted mapping model.
struct MappingChange: Sendable {
  let versions: VersionPair
  let path: String
  /// The path of the mapping model that replaces it; nil if there is none.
  let successor: String?
  /// The evidence of its earlier state, in words.
  let evidence: String
  /// A revision of git that has its earlier state; nil if none is known.
  let revision: String?
  /// The path of the unchanged file in a folder that is the base; nil if there is none.
  let copy: String?
  let need: Need

  /// The reason why users need, or do not need, the earlier mapping model.
  enum Need: Sendable {
    /// Their stores are migrated with it.
    case needed
    /// Its destination can still change.
    case unreleased
    /// No released version uses it on the path to the current version.
    case unused
    /// The lock file records in the same change that it was replaced.
    case recordedAgain
  }
}

extension BundleHistory {
  /// The mapping models that differ from the lock file or the base, each once.
  var mappingChanges: [MappingChange] { mappingChangeCache.value { findMappingChanges() } }

  private func findMappingChanges() -> [MappingChange] {
    let recorded = recordedMappings
    guard !recorded.isEmpty else { return [] }
    let digests = digestsByPath
    let present = Set(digests.values)
    var groups: [[RecordedMapping]] = []
    var places: [[String]: Int] = [:]
    for mapping in recorded where !present.contains(mapping.digest) {
      let key = [mapping.versions.source, mapping.versions.destination, mapping.path]
      if let place = places[key] {
        groups[place].append(mapping)
      } else {
        places[key] = groups.count
        groups.append([mapping])
      }
    }
    return groups.map { change(of: $0, digests) }
  }

  private func change(of group: [RecordedMapping], _ digests: [String: String]) -> MappingChange {
    let first = group[0]
    let here = mappings.filter {
      $0.source.name == first.versions.source && $0.destination.name == first.versions.destination
    }.map(\.path)
    let successor = digests[first.path] == nil ? here.first : first.path
    let entry = lock?.entries[first.versions.destination]
    let replaced = (entry?.replacedMappings ?? []).subtracting(entry?.mappings.values.flatMap(\.values) ?? [])
    let need: MappingChange.Need =
      if group.allSatisfy({ replaced.contains($0.digest) }) {
        .recordedAgain
      } else if !group.contains(where: \.isReleased) { .unreleased } else {
        isPassed(first.versions) ? .needed : .unused
      }
    var seen: Set<String> = []
    return MappingChange(
      versions: first.versions, path: first.path, successor: successor,
      evidence: group.map(\.evidence).filter { seen.insert($0).inserted }.joined(separator: ", "),
      revision: group.lazy.compactMap(\.revision).first, copy: group.lazy.compactMap(\.copy).first, need: need)
  }

  /// False if a different mapping model migrates the source, so that no store takes the step.
  private func isPassed(_ versions: VersionPair) -> Bool {
    guard let current, let source = version(named: versions.source),
      let step = matrix.verdict(from: source, to: current)?.steps.first
    else { return true }
    return step.mappingPath == nil || step.destination.name == versions.destination
  }
}

/// A mapping model between two versions of a bundle in the lock file or in an earlier state.
struct RecordedMapping: Sendable {
  /// The versions, by their current names.
  let versions: VersionPair
  let path: String
  let digest: String
  /// The name of the lock file or of the base.
  let evidence: String
  /// A revision of git that has this mapping model; nil if none is known.
  let revision: String?
  /// The path of the file in the folder that is the base; nil without such a folder.
  let copy: String?
  /// True if it migrates stores between released versions.
  let isReleased: Bool
}

extension BundleHistory {
  /// The mapping models to newer versions in the lock files and in the base.
  var recordedMappings: [RecordedMapping] {
    var found = lockedMappings(lock)
    if let baseLock, let base { found += lockedMappings(baseLock, name: base.name) }
    return found + baseMappings
  }

  /// The digests of the mapping models of the project to newer versions.
  var mappingDigests: [VersionPair: Set<String>] {
    digestCache.value {
      let digests = digestsByPath
      return ascendingMappings.reduce(into: [:]) { found, mapping in
        guard let digest = digests[mapping.path] else { return }
        found[mapping.versions, default: []].insert(digest)
      }
    }
  }

  /// The paths of the mapping models to newer versions of this bundle, alone or merged with other bundles.
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

  /// The digests of the files of mapping models, by path.
  var digestsByPath: [String: String] {
    Dictionary(mappingReadings.compactMap { reading in reading.digest.map { (reading.path, $0) } }) { first, _ in first
    }
  }

  /// A pair of versions of the bundle; nil unless the first is older.
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
            versions: versions, path: LockFile(path: lockPath).path(ofRelativePath: place), digest: digest,
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

  /// The current name of a version of an earlier state.
  private func name(now recorded: LoadedVersion) -> String? {
    version(named: recorded.name)?.name ?? versions.first { $0.versionHashes == recorded.versionHashes }?.name
  }
}

/// The names of the two versions of a step.
struct VersionPair: Hashable, Sendable {
  let source: String
  let destination: String
}
