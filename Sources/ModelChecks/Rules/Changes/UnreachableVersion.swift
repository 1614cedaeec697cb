import Foundation
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
    let lost = history.matrix.verdicts(to: current.known)
      .filter { $0.kind == .impossible && history.isOlder($0.source.name, than: current.name) }
    return Dictionary(grouping: lost) { verdict in
      [verdict.obstacle?.source.name ?? verdict.source.name, verdict.obstacle?.destination.name ?? current.name]
    }.values.flatMap { verdicts -> [RuleIssue] in
      guard let first = verdicts.first, !history.isBrokenByDrift(first) else { return [] }
      return issues(history, verdicts, first: first, current)
    }
  }

  /// One error for each element that breaks a step, so that all of them can be mended at once.
  private static func issues(
    _ history: BundleHistory, _ verdicts: [MigrationVerdict], first: MigrationVerdict, _ current: CheckedVersion
  ) -> [RuleIssue] {
    let source = first.obstacle?.source ?? first.source
    let destination = first.obstacle?.destination ?? first.destination
    let version = history.versions.first { $0.name == destination.name } ?? current
    let failures = history.matrix.inferenceFailures(from: source, to: destination)
    var seen: Set<ModelElement> = []
    let causes = failures.map { (failure: Optional($0), element: version.declaration(of: $0.element)) }
      .filter { seen.insert($0.element).inserted }
    return (causes.isEmpty ? [(nil, .model)] : causes).map { failure, element in
      issue(history, verdicts, from: source, to: destination, failure, at: element, of: version, current)
    }
  }

  private static func issue(
    _ history: BundleHistory, _ verdicts: [MigrationVerdict], from source: KnownVersion, to destination: KnownVersion,
    _ failure: InferenceFailure?, at element: ModelElement, of version: CheckedVersion, _ current: CheckedVersion
  ) -> RuleIssue {
    let lost = VersionList(verdicts.map(\.source.name)).text
    let step = "\(source.name) → \(destination.name)"
    let isWhole =
      verdicts.count == 1 && source.name == verdicts[0].source.name && destination.name == current.name
    let reason = (failure?.description ?? verdicts[0].obstacle?.reason ?? "nothing leads there").clauses
    return RuleIssue(
      element,
      "\(current.name) cannot be reached from \(lost): \(isWhole ? "" : "\(step) breaks: ")\(reason[0])",
      fix: failure == nil
        ? "see what is wrong with the mapping models from \(source.name) to \(destination.name): modelctl mapping check"
        : "go back on the change, or write a mapping model with: "
          + history.mappingCommand(from: source.name, to: destination.name),
      at: version.location(of: element))
  }
}

extension String {
  /// A sentence and the advice after its first semicolon, at least one clause.
  var clauses: [String] {
    let parts = split(separator: ";", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    return parts.isEmpty ? [self] : parts
  }
}

extension BundleHistory {
  /// True when a mapping model between the versions of the step that breaks is found to have drifted: one cause, one
  /// finding.
  fileprivate func isBrokenByDrift(_ verdict: MigrationVerdict) -> Bool {
    inspectedMappings.contains { mapping in
      mapping.findings.contains { $0.rule == "mapping-drift" }
        && mapping.source == verdict.obstacle?.source.name && mapping.destination == verdict.obstacle?.destination.name
    }
  }

  /// The command that writes a mapping model between two versions.
  func mappingCommand(from source: String, to destination: String) -> String {
    let versions = [source, destination].map { ShellWord($0).text }.joined(separator: " ")
    return "modelctl mapping new \(versions) --model \(ShellPath.quoted(bundle.path))"
  }

  /// How Core Data reaches every version from every other, looked into once for all rules.
  ///
  /// Mapping models that drifted are not used.
  var matrix: MigrationMatrix {
    matrixMemory.value {
      let drifted = Set(inspectedMappings.filter(\.isDrifted).map(\.path))
      return MigrationMatrix(
        of: versions.map(\.known), mappings: mappings, unusable: unusableMappings.filter { !drifted.contains($0.path) })
    }
  }
}
