import MappingModels
import ModelDescription
import ModelFiles
import StoreMigration

extension Rule {
  static let unionUnreachable = Rule(
    id: "union-unreachable",
    severity: .error,
    purpose: "The union of the current versions can be reached from older ones.",
    explanation: """
      The versions of bundles that the app merges are passed one after another, and each bundle is checked by itself. \
      Where two bundles share an entity, or an entity moves from one to the other, their steps are one, which this rule \
      looks at. Make the change in versions that can each be inferred, or write a mapping model between the merged \
      versions.
      """,
    project: { project in project.unions.flatMap(unreachable) })

  private static func unreachable(_ union: CheckedUnion) -> [RuleFinding] {
    var seen: Set<[String]> = []
    return union.verdicts.compactMap { verdict in
      guard let step = verdict.refusal, areInferable(step.source.parts, step.destination.parts),
        seen.insert([step.source.name, step.destination.name]).inserted
      else { return nil }
      return RuleFinding(
        .model,
        "\(step.destination.name) cannot be reached from \(step.source.name): \(step.reason)",
        fix: "go back on the change, or make it in versions that can each be inferred",
        at: union.currentVersions?.first.flatMap { $0.file.location(of: .model) })
    }
  }

  /// False where a bundle's own step breaks, which is reported of that bundle.
  private static func areInferable(_ sources: [LoadedVersion], _ destinations: [LoadedVersion]) -> Bool {
    zip(sources, destinations).filter { $0.versionHashes != $1.versionHashes }.allSatisfy { source, destination in
      ModelStep(from: source.hierarchy, to: destination.hierarchy).isInferred
    }
  }
}
