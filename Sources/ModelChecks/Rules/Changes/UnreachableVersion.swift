import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

extension Rule {
  static let unreachableVersion = Rule(
    id: "unreachable-version",
    severity: .error,
    purpose: "The current version can be reached from every older one.",
    explanation: """
      Users come from every version that was ever shipped, not only from the one before, and a store whose version does \
      not lead to the current one cannot be opened any more. Every older version is tried, by inference over all versions \
      between and by the mapping models here. Write a mapping model for the step that breaks, or make the change in \
      two versions that can each be inferred.
      """
  ) { history in
    guard let current = history.current else { return [] }
    let lost = history.matrix.verdicts(to: current.known).filter { $0.kind == .impossible }
    return Dictionary(grouping: lost) { verdict in
      [verdict.obstacle?.source.name ?? verdict.source.name, verdict.obstacle?.destination.name ?? current.name]
    }.values.compactMap { verdicts in
      verdicts.first.map { issue(history, verdicts, first: $0, current) }
    }
  }

  private static func issue(
    _ history: BundleHistory, _ verdicts: [MigrationVerdict], first: MigrationVerdict, _ current: CheckedVersion
  ) -> RuleIssue {
    let source = first.obstacle?.source ?? first.source
    let destination = first.obstacle?.destination ?? first.destination
    let failure = history.matrix.inferenceFailure(from: source, to: destination)
    let version = history.versions.first { $0.name == destination.name } ?? current
    let element = failure.map { version.declaration(of: $0.element) } ?? .model
    let lost = VersionList(verdicts.map(\.source.name)).text
    let step = "\(source.name) → \(destination.name)"
    let mapping = history.mappings.contains {
      $0.source.name == source.name && $0.destination.name == destination.name
    }
    return RuleIssue(
      element,
      "\(current.name) cannot be reached from \(lost): \(step) breaks: \(first.obstacle?.reason ?? "nothing leads there")",
      fix: mapping
        ? "mend the mapping models from \(source.name) to \(destination.name)"
        : "make the change in smaller steps, or write a mapping model with: "
          + "modelctl mapping new \(source.name) \(destination.name)",
      at: version.location(of: element))
  }
}

extension BundleHistory {
  /// How every version is reached from every other, looked into once for all rules.
  var matrix: MigrationMatrix {
    matrixMemory.value {
      MigrationMatrix(of: versions.map(\.known), mappings: mappings, unusable: unusableMappings)
    }
  }
}
