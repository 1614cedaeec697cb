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
    let isWhole = verdicts.count == 1 && source.name == first.source.name && destination.name == current.name
    let reason = (failure?.description ?? first.obstacle?.reason ?? "nothing leads there").clauses
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
  /// The command that writes a mapping model between two versions.
  func mappingCommand(from source: String, to destination: String) -> String {
    let versions = [source, destination].map { ShellWord($0).text }.joined(separator: " ")
    return "modelctl mapping new \(versions) --model \(ShellPath.quoted(bundle.path))"
  }

  /// How every version is reached from every other, looked into once for all rules.
  var matrix: MigrationMatrix {
    matrixMemory.value {
      MigrationMatrix(of: versions.map(\.known), mappings: mappings, unusable: unusableMappings)
    }
  }
}
