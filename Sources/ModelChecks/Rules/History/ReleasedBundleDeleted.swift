import ModelDescription
import ModelFiles

extension Rule {
  static let releasedBundleDeleted = Rule(
    id: "released-bundle-deleted",
    severity: .error,
    purpose: "Do not delete a bundle with released versions.",
    explanation: """
      Without the bundle, your app cannot open or migrate the stores it made with it. If you moved its entities to a \
      different bundle, you still need the old bundle to migrate from. Restore it. If you gave up its stores on \
      purpose, exclude its path in .modelctl.json. If you exclude a bundle that still exists, modelctl reports an \
      error once, because it no longer checks the bundle.
      """,
    project: { project in
      project.deletedBundles.filter { $0.movedTo == nil && !$0.releasedVersions.isEmpty }.map { gone in
        let (versions, verb) = (NameList.text(gone.releasedVersions), gone.releasedVersions.count == 1 ? "is" : "are")
        let users = "although \(versions) \(verb) released (\(gone.base))"
        if let file = gone.excludedBy {
          return RuleFinding(
            .model, "\(gone.path) is excluded from the check now, \(users)", fix: "remove it from “exclude”",
            at: SourceLocation(file: file, line: 1, column: 1))
        }
        let restoring =
          gone.copy.map { Advice.copying($0, to: gone.path) } ?? GitAdvice.restoring(gone.path, revision: gone.revision)
        return RuleFinding(
          .model, "the bundle is deleted, \(users)",
          fix: "restore it: \(restoring)",
          at: gone.lockLocation ?? SourceLocation(file: gone.path, line: 1, column: 1))
      }
    })
}
