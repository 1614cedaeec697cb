import ModelFiles
import PersistentStores
import StoreMigration
import VersionHashing

extension BundleHistory {
  /// The steps to versions that can still change, each looked into once for all rules.
  var steps: [VersionStep] {
    stepMemory.value { openSteps.map { step(from: $0.former, to: $0.latter, routes) } }
  }

  /// What a rule finds in steps; about a draft that the app does not use yet it is a note.
  func issues(of steps: [VersionStep], _ issues: (VersionStep) -> [RuleIssue]) -> [RuleIssue] {
    steps.flatMap { step in
      let isUnused = isUnusedDraft(step.latter.name)
      return issues(step).map { issue in
        var issue = issue
        if isUnused { issue.severity = .note }
        return issue
      }
    }
  }

  /// True where a custom mapping model leads straight from one version to another, so that nothing is inferred.
  func isMapped(_ step: VersionStep) -> Bool {
    mappings.contains {
      $0.source.versionHashes == step.former.known.versionHashes
        && $0.destination.versionHashes == step.latter.known.versionHashes
    }
  }

  /// The steps of written mapping models that lead to a version that can still change past others.
  var mappedLeaps: [VersionStep] {
    versions.filter { leaps[$0.name] != nil && canChange($0.name) }.flatMap { leaps(to: $0.name) }
  }

  /// The steps that lead to one version, whether it can change or not.
  func steps(to name: String) -> [VersionStep] {
    let before = version(named: name).flatMap { latter in
      former(of: name).flatMap { isOlder($0.name, than: name) ? (former: $0, latter: latter) : nil }
    }
    return [before].compactMap { $0 }.map { step(from: $0.former, to: $0.latter, routes) } + leaps(to: name)
  }

  private var routes: MigrationRoutes {
    routesMemory.value { MigrationRoutes(mappings: mappings, unusable: unusableMappings) }
  }

  private func leaps(to name: String) -> [VersionStep] {
    (leaps[name] ?? []).map { step(from: $0.former, to: $0.latter, routes) }
  }

  /// The versions that written mapping models lead past others between, each pair once, by the version they lead to.
  private var leaps: [String: [(former: CheckedVersion, latter: CheckedVersion)]] {
    leapsMemory.value {
      var seen: Set<[String]> = []
      var leaps: [String: [(former: CheckedVersion, latter: CheckedVersion)]] = [:]
      for mapping in mappings {
        guard let former = version(named: mapping.source.name), let latter = version(named: mapping.destination.name),
          !follows(former.name, latter.name), seen.insert([former.name, latter.name]).inserted
        else { continue }
        leaps[latter.name, default: []].append((former, latter))
      }
      return leaps
    }
  }

  private func step(from former: CheckedVersion, to latter: CheckedVersion, _ routes: MigrationRoutes) -> VersionStep {
    let isSame = former.known.versionHashes == latter.known.versionHashes
    let route =
      isSame ? nil : try? routes.route(from: former.known, to: latter.known, among: [former.known, latter.known])
    return VersionStep(from: former, to: latter, by: route)
  }
}
