import MappingModels
import ModelDescription
import ModelFiles
import StoreMigration

extension Rule {
  static let unionUnreachable = Rule(
    id: "union-unreachable",
    severity: .error,
    purpose: "Every older union of the merged bundles must have a path to the current union.",
    explanation: """
      A migration passes the versions of merged bundles one after another, and modelctl checks each bundle by itself. \
      If two bundles share an entity, or you move an entity between bundles, their steps belong together. This rule \
      checks these steps. Make the change in versions that modelctl can infer one by one, or write a mapping model \
      between the merged versions.
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
        fix: "undo the change, or split it into versions that can each be inferred",
        at: union.currentVersions?.first.flatMap { $0.file.location(of: .model) })
    }
  }

  /// False if the step of a single bundle fails, because another finding reports that bundle.
  private static func areInferable(_ sources: [LoadedVersion], _ destinations: [LoadedVersion]) -> Bool {
    zip(sources, destinations).filter { $0.versionHashes != $1.versionHashes }.allSatisfy { source, destination in
      ModelStep(from: source.hierarchy, to: destination.hierarchy).isInferred
    }
  }
}
