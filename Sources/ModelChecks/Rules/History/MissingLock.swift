import ModelDescription
import ModelFiles

extension Rule {
  static let missingLock = Rule(
    id: "missing-lock",
    severity: .warning,
    purpose: "Something says which versions users have.",
    explanation: """
      Without a lock file, a base or a compiled model to compare with, nobody can tell that a released version was \
      edited, and the edit is noticed when users cannot open their stores. modelctl lock --all records the hashes of \
      every version in a lock file beside the bundle; commit it. Where a lock file is not wanted, name a revision with \
      --base.
      """
  ) { history in
    guard history.lock == nil, !history.hasReference, history.released.isEmpty else { return [] }
    return [
      RuleIssue(
        .model, "nothing says which versions of \(history.bundle.name) users have, so an edit of one is not noticed",
        fix: "record them: modelctl lock --all \(ShellPath.quoted(history.bundle.path))",
        at: history.currentVersionLocation)
    ]
  }
}
