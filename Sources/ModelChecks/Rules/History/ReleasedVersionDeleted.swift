import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let releasedVersionDeleted = Rule(
    id: "released-version-deleted",
    severity: .error,
    purpose: "A version that users have stays in the bundle.",
    explanation: """
      A store can only be migrated from a version that the app still has. When a released version is deleted, the \
      stores of everybody who did not update since have no way to the current version and cannot be opened. Bring the \
      version back; its model costs a few kilobytes. When its stores are not supported any more, say so with \
      modelctl lock --retire VERSION --reason TEXT.
      """
  ) { history in
    history.lostReleases.filter { $0.successor == nil }.map { lost in
      RuleFinding(
        .model,
        "version \(lost.name) is not in the bundle any more, although it is released (\(lost.evidence))"
          + (lost.editedSuccessor.map { "; \($0.name) seems to be \(lost.name) edited" } ?? ""),
        fix: "bring it back: \(history.restoring(lost))", at: lost.location ?? history.currentVersionLocation)
    }
  }
}
