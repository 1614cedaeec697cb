import ModelDescription
import ModelFiles
import StoreMigration
import VersionHashing

extension BundleHistory {
  /// The steps to versions that can still change, each computed once for all rules.
  var steps: [VersionStep] {
    stepCache.value { openSteps.map { step(from: $0.source, to: $0.destination, pathFinder) } }
  }

  /// The findings of a rule in steps; findings about a draft that the app does not use yet are notes.
  func findings(of steps: [VersionStep], _ findings: (VersionStep) -> [RuleFinding]) -> [RuleFinding] {
    steps.flatMap { step in
      let isUnused = isUnusedDraft(step.destination.name)
      return findings(step).map { finding in
        var finding = finding
        if isUnused { finding.severity = .note }
        return finding
      }
    }
  }

  /// True if a custom mapping model makes the step, so that nothing is inferred.
  func isMapped(_ step: VersionStep) -> Bool {
    mappings.contains {
      $0.source.versionHashes == step.source.versionHashes
        && $0.destination.versionHashes == step.destination.versionHashes
    }
  }

  /// The steps of custom mapping models that skip versions and end at a version that can still change.
  var mappedLeaps: [VersionStep] {
    versions.filter { leaps[$0.name] != nil && canChange($0.name) }.flatMap { leaps(to: $0.name) }
  }

  /// The steps to a version, which need not be able to change.
  func steps(to name: String) -> [VersionStep] {
    let before = version(named: name).flatMap { destination in
      predecessor(of: name).flatMap { isOlder($0.name, than: name) ? (source: $0, destination: destination) : nil }
    }
    return [before].compactMap { $0 }.map { step(from: $0.source, to: $0.destination, pathFinder) } + leaps(to: name)
  }

  private var pathFinder: MigrationPathFinder {
    pathFinderCache.value { MigrationPathFinder(mappings: mappings, unusable: unusableMappings) }
  }

  private func leaps(to name: String) -> [VersionStep] {
    (leaps[name] ?? []).map { step(from: $0.source, to: $0.destination, pathFinder) }
  }

  /// The pairs of versions whose custom mapping models skip versions, each once, by destination.
  private var leaps: [String: [(source: LoadedVersion, destination: LoadedVersion)]] {
    leapsCache.value {
      var seen: Set<[String]> = []
      var leaps: [String: [(source: LoadedVersion, destination: LoadedVersion)]] = [:]
      for mapping in mappings {
        guard let source = version(named: mapping.source.name),
          let destination = version(named: mapping.destination.name),
          !follows(source.name, destination.name), seen.insert([source.name, destination.name]).inserted
        else { continue }
        leaps[destination.name, default: []].append((source, destination))
      }
      return leaps
    }
  }

  /// The step between two versions, by the mapping models of the project or by inference.
  func step(from source: LoadedVersion, to destination: LoadedVersion) -> VersionStep {
    step(from: source, to: destination, pathFinder)
  }

  private func step(from source: LoadedVersion, to destination: LoadedVersion, _ pathFinder: MigrationPathFinder)
    -> VersionStep
  {
    VersionStep(
      from: source, to: destination, by: pathFinder, findsAll: !isPassedOver(destination.name, after: source.name))
  }

  /// True if a custom mapping model from the source skips the destination.
  private func isPassedOver(_ destination: String, after source: String) -> Bool {
    mappings.contains { $0.source.name == source && isOlder(destination, than: $0.destination.name) }
  }
}
