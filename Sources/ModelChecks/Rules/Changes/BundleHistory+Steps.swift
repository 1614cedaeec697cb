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
  var mappedLeaps: [VersionStep] { leaps { canChange($0) } }

  /// The steps that lead to one version, whether it can change or not.
  func steps(to name: String) -> [VersionStep] {
    neighbours.filter { $0.latter.name == name }.map { step(from: $0.former, to: $0.latter, routes) }
      + leaps { $0 == name }
  }

  private var routes: MigrationRoutes { MigrationRoutes(mappings: mappings, unusable: unusableMappings) }

  private func leaps(to isWanted: (String) -> Bool) -> [VersionStep] {
    var seen: Set<[String]> = []
    return mappings.compactMap { mapping in
      guard let former = version(named: mapping.source.name), let latter = version(named: mapping.destination.name),
        isWanted(latter.name), seen.insert([former.name, latter.name]).inserted,
        !neighbours.contains(where: { $0.former.name == former.name && $0.latter.name == latter.name })
      else { return nil }
      return step(from: former, to: latter, routes)
    }
  }

  private func step(from former: CheckedVersion, to latter: CheckedVersion, _ routes: MigrationRoutes) -> VersionStep {
    let isSame = former.known.versionHashes == latter.known.versionHashes
    let route =
      isSame ? nil : try? routes.route(from: former.known, to: latter.known, among: [former.known, latter.known])
    return VersionStep(from: former, to: latter, by: route)
  }
}
