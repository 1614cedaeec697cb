import ModelDescription
import ModelFiles

extension Rule {
  static let releasedBundleDeleted = Rule(
    id: "released-bundle-deleted",
    severity: .error,
    purpose: "A bundle with versions that users have stays.",
    explanation: """
      Without the bundle, no store that was made with it can be opened or migrated. When its entities moved to another \
      bundle, the old one is still needed to migrate from. Bring it back, or exclude its path when the app gave its \
      stores up on purpose. A bundle that is still here and that a change excludes is checked by nothing from then on, \
      so the change is an error once.
      """,
    project: { project in
      project.goneBundles.filter { $0.movedTo == nil && !$0.releasedVersions.isEmpty }.map { gone in
        let users = "although users have \(NameList.text(gone.releasedVersions)) (\(gone.base))"
        if let file = gone.excludedBy {
          return RuleFinding(
            .model, "\(gone.path) is left out of the check now, \(users)", fix: "take it out of “exclude”",
            at: SourceLocation(file: file, line: 1, column: 1))
        }
        let restoring =
          gone.copy.map { Advice.copying($0, to: gone.path) } ?? GitAdvice.restoring(gone.path, revision: gone.revision)
        return RuleFinding(
          .model, "the bundle is deleted, \(users)",
          fix: "bring it back: \(restoring)",
          at: gone.lockLocation ?? SourceLocation(file: gone.path, line: 1, column: 1))
      }
    })
}
