import ModelDescription
import ModelFiles

extension Rule {
  static let unversionedChange = Rule(
    id: "unversioned-change",
    severity: .error,
    purpose: "A version that users have never changes.",
    explanation: """
      Core Data recognises the version of a store by the hashes of its entities. When a released version is edited, no \
      version in the app has the hashes of the stores that users have: they can no longer be opened, and the migration \
      has no model to start from. Put the version back as it was and make the change in a new one, which \
      modelctl new-version makes. When nobody has stores of it yet, record it anew with modelctl lock --relock VERSION.
      """
  ) { history in
    history.editedVersions.flatMap { edited in
      edited.edits.map { edit in
        let path = ShellPath.quoted(edited.version.file.path)
        return RuleIssue(
          edit.element, "\(edit.words), although \(edited.version.name) is released (\(edited.witnesses))",
          fix: (edit.isExplained ? "" : "see what it was: git log -p -- \(path); ")
            + "put it back as it was and make the change in a new version: modelctl new-version",
          at: edited.version.location(of: edit.element))
      }
    }
  }
}
