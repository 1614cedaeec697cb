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
