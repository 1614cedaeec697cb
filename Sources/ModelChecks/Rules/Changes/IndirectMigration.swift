import MappingModels
import ModelDescription
import ModelFiles
import StoreMigration

extension Rule {
  static let indirectMigration = Rule(
    id: "indirect-migration",
    severity: .warning,
    purpose: "Core Data must be able to migrate every older version directly to the current version.",
    explanation: """
      Core Data compares the store's version with the current version and ignores the versions in between. Core Data \
      may be able to infer every single step, but not all steps together. The migration then works for users who \
      install every update and fails for users who skip updates. Use staged migration in your app: `modelctl plan \
      --emit staged` writes the code and names the data that each step loses. Core Data also combines consecutive \
      lightweight stages, so the code separates them with empty custom stages. modelctl passes the versions in \
      between. If modelctl migrates your stores ("migratedBy" in .modelctl.json), the rule does not apply.
      """
  ) { (history: BundleHistory) in
    guard let current = history.current, history.reader == .coreData else { return [] }
    let indirect = history.matrix.verdicts(to: current).filter {
      $0.steps.count > 1 && !$0.isInferable && !history.isRetired($0.source.name)
        && history.isOlder($0.source.name, than: current.name)
    }
    let (staged, others) = (indirect.filter(history.isInferred), indirect.filter { !history.isInferred($0) })
    return findings(staged, areInferred: true, current, history)
      + findings(others, areInferred: false, current, history)
  }

  /// One warning for each element that keeps Core Data from migrating directly to the current version.
  private static func findings(
    _ verdicts: [MigrationVerdict], areInferred: Bool, _ current: LoadedVersion, _ history: BundleHistory
  ) -> [RuleFinding] {
    let failures = verdicts.compactMap { verdict in
      history.matrix.inferenceRefusals(from: verdict.source, to: verdict.destination).first.map { (verdict, $0) }
    }
    return Dictionary(grouping: failures) { current.hierarchy.declaration(of: $0.1.element) }.compactMap {
      element, failures in
      guard let (first, failure) = failures.first else { return nil }
      let names = VersionList(failures.map(\.0.source.name)).text
      let path = ([first.source] + first.steps.map(\.destination)).map(\.name).joined(separator: " → ")
      let way = areInferred ? ", only step by step (\(path))" : ""
      var finding = RuleFinding(
        element, "Core Data cannot migrate from \(names) directly to \(current.name)\(way): \(failure.reason)",
        fix: areInferred ? history.stagingAdvice(to: current) : history.mappingAdvice(from: first.source, to: current),
        at: current.location(of: element))
      if !history.canChange(current.name) { finding.severity = .note }
      return finding
    }
  }
}

extension BundleHistory {
  /// True if each step of a path can be inferred, with or without a mapping model for it.
  fileprivate func isInferred(_ verdict: MigrationVerdict) -> Bool {
    matrix.path(of: verdict).allSatisfy { matrix.inferenceRefusals(from: $0.source, to: $0.destination).isEmpty }
  }

  /// The advice to migrate step by step; it names the code of a staged migration if that can be written.
  fileprivate func stagingAdvice(to destination: LoadedVersion) -> Advice {
    let path = versions.prefix { $0.name != destination.name } + [destination]
    let stages = try? StagedMigration(through: Array(path), mappings: mappings, unusable: unusableMappings)
    guard stages != nil else { return "migrate the stores with modelctl, which passes the versions between" }
    let staging = ["modelctl", "plan", "--emit", "staged", "--model", ShellWord.argument(bundle.path)]
    return """
      migrate the stores with modelctl, which passes the versions between; or stage the migration in your app with this \
      code: \(run: staging)
      """
  }

  /// The advice for a path with a step that cannot be inferred.
  fileprivate func mappingAdvice(from source: LoadedVersion, to destination: LoadedVersion) -> Advice {
    """
    migrate the stores with modelctl, which passes the versions between; or write a mapping model from \(source.name) \
    directly to \(destination.name): \(run: mappingCommand(from: source.name, to: destination.name))
    """
  }
}
