import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let releasedVersionDeleted = Rule(
    id: "released-version-deleted",
    severity: .error,
    purpose: "Do not delete a released version.",
    explanation: """
      Your app can migrate a store only from a version that it still contains. If you delete a released version, users \
      who have not updated since can no longer open their stores. Restore the version; its model takes a few \
      kilobytes. If you no longer support its stores, run `modelctl lock --retire VERSION --reason TEXT`.
      """
  ) { history in
    history.lostReleases.filter { $0.successor == nil }.map { lost in
      RuleFinding(
        .model,
        "version \(lost.name) is not in the bundle any more, although it is released (\(lost.evidence))"
          + (lost.editedSuccessor.map { "; \($0.name) looks like an edited \(lost.name)" } ?? ""),
        fix: "restore it: \(history.restoring(lost))", at: lost.location ?? history.currentVersionLocation)
    }
  }
}
