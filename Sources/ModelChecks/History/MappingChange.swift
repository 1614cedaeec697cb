import ModelDescription
import ModelFiles
import StoreMigration

/// A mapping model that is not what it was, or is gone.
struct MappingChange: Sendable {
  let versions: VersionPair
  let path: String
  /// Where the one lies that has taken its place; nil when there is none.
  let successor: String?
  /// Who says what it was, in words.
  let evidence: String
  /// A revision of git that has it as it was; nil when none is known.
  let revision: String?
  /// The path of a file that is as it was, in a folder that is the base; nil when there is none.
  let copy: String?
  let need: Need

  /// Whether users need a mapping model as it was.
  enum Need: Sendable {
    /// Their stores are migrated with it.
    case needed
    /// It leads to a version that can still change.
    case unreleased
    /// No version that users have passes it on the path to the current one.
    case unused
    /// The lock file records in the same change that it was replaced.
    case recordedAnew
  }
}

extension BundleHistory {
  /// The mapping models that are not what the lock file or the base says, each once.
  var mappingChanges: [MappingChange] { mappingChangeMemory.value { findMappingChanges() } }

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
        .recordedAnew
      } else if !group.contains(where: \.isReleased) { .unreleased } else {
        isPassed(first.versions) ? .needed : .unused
      }
    var seen: Set<String> = []
    return MappingChange(
      versions: first.versions, path: first.path, successor: successor,
      evidence: group.map(\.evidence).filter { seen.insert($0).inserted }.joined(separator: ", "),
      revision: group.lazy.compactMap(\.revision).first, copy: group.lazy.compactMap(\.copy).first, need: need)
  }

  /// False for a step whose source another mapping model leads on from, so that no store takes it.
  private func isPassed(_ versions: VersionPair) -> Bool {
    guard let current, let source = version(named: versions.source),
      let step = matrix.verdict(from: source, to: current)?.steps.first
    else { return true }
    return step.mappingPath == nil || step.destination.name == versions.destination
  }
}

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
