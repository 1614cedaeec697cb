import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration

extension Rule {
  static let indirectMigration = Rule(
    id: "indirect-migration",
    severity: .warning,
    purpose: "Core Data's own automatic migration goes straight from every older version to the current one.",
    explanation: """
      Core Data's automatic migration compares the store's version with the current one and knows nothing of those \
      between. Steps that can each be inferred may be impossible in one: it works for users who install every update \
      and fails for those who skip some. Use staged migration (its code is written by plan --emit staged) or migrate \
      with modelctl, which passes the versions between, and silence the rule then.
      """
  ) { history in
    guard let current = history.current else { return [] }
    let indirect = history.matrix.verdicts(to: current).filter {
      $0.steps.count > 1 && !$0.isInferable && history.isOlder($0.source.name, than: current.name)
    }
    let failures = indirect.compactMap { verdict in
      history.matrix.inferenceFailure(from: verdict.source, to: verdict.destination).map { (verdict, $0) }
    }
    return Dictionary(grouping: failures) { current.declaration(of: $0.1.element) }.compactMap { element, failures in
      guard let (first, failure) = failures.first else { return nil }
      let names = VersionList(failures.map(\.0.source.name)).text
      let way = ([first.source] + first.steps.map(\.destination)).map(\.name).joined(separator: " → ")
      var issue = RuleIssue(
        element,
        "Core Data cannot migrate from \(names) straight to \(current.name), only step by step (\(way)): \(failure.reason)",
        fix: "stage the migration in the app with the code of: modelctl plan --emit staged; or use modelctl migrate",
        at: current.location(of: element))
      if !history.canChange(current.name) { issue.severity = .note }
      return issue
    }
  }
}
