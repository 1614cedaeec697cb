import ModelDescription
import ModelFiles

extension Rule {
  static let unversionedChange = Rule(
    id: "unversioned-change",
    severity: .error,
    purpose: "Do not edit a released version.",
    explanation: """
      Core Data recognises the version of a store by the hashes of its entities. If you edit a released version, its \
      hashes no longer match your users' stores. Your app cannot open these stores, and a migration does not have a \
      source model. Restore the version, and make the change in a new version with `modelctl new-version`. If users do \
      not have stores of the version yet, record it again with `modelctl lock --relock VERSION`.
      """
  ) { history in
    history.editedReleases.flatMap { version, evidence, edits in
      edits.map { edit in
        RuleFinding(
          edit.element,
          """
          \(edit.words), although \(version.name) is released (\(evidence.words)), so stores of \(version.name) no longer open
          """,
          fix: puttingBack(isExplained: edit.isExplained, version, evidence, in: history),
          at: version.location(of: edit.element))
      }
    }
  }

  /// The advice to restore a released version and to keep the change, with complete commands.
  ///
  /// - Parameters:
  ///   - isExplained: true if the finding shows the earlier version.
  ///   - isSilent: true if the change does not change a hash.
  static func puttingBack(
    isExplained: Bool, isSilent: Bool = false, _ version: LoadedVersion, _ evidence: [Release],
    in history: BundleHistory
  ) -> Advice {
    let path = version.file.path
    let copying = ["modelctl", "new-version", "--model", ShellWord.argument(history.bundle.path)]
    let copied = "a new version\(isSilent ? " with a version hash modifier, so that stores get it" : "")"
    let isCurrent = version.name == history.bundle.currentVersionName
    guard let committed = evidence.first(where: { $0.revision != nil }), let revision = committed.revision else {
      if let copy = evidence.lazy.compactMap(\.copy).first {
        let restoring = ["cp", ShellWord.argument(copy), ShellWord.argument(path)]
        return isCurrent
          ? "copy it to \(copied): \(run: copying); and restore it: \(run: restoring)"
          : "restore it: \(run: restoring); and make the change in \(copied): \(run: copying)"
      }
      let history: Advice = isExplained ? "" : "; to see its history: \(command: GitAdvice.history(of: path))"
      return
        "first restore \(version.name) as it was released; then make the change in \(copied): \(run: copying)\(history)"
    }
    let restoring: Advice =
      if let older = committed.revisionPath {
        "\(command: GitAdvice.writing(older, of: revision, to: path))"
      } else {
        GitAdvice.restoring(path, revision: revision)
      }
    guard isCurrent else {
      return "restore it: \(restoring); and make the change in \(copied): \(run: copying)"
    }
    // `new-version --restore` looks for the bundle at its current path in the revision.
    guard committed.revisionPath == nil else {
      return "copy it to \(copied): \(run: copying); and restore it: \(restoring)"
    }
    let moving = copying.prefix(2) + ["--restore", revision] + copying.dropFirst(2)
    return "restore it and move the change to \(copied): \(run: Array(moving))"
  }
}
