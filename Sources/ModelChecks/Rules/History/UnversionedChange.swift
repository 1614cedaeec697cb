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

  /// What puts a released version back and keeps the change, in commands that can be run as they stand.
  ///
  /// - Parameter isExplained: true where the finding says how the version was.
  static func puttingBack(
    isExplained: Bool, _ version: LoadedVersion, _ evidence: [Release], in history: BundleHistory
  ) -> Advice {
    let (path, bundle) = (version.file.path, ShellWord(path: history.bundle.path).text)
    let copying = "modelctl new-version --model \(bundle)"
    let isCurrent = version.name == history.bundle.currentVersionName
    guard let committed = evidence.first(where: { $0.revision != nil }), let revision = committed.revision else {
      if let copy = evidence.lazy.compactMap(\.copy).first {
        let restoring = "cp \([copy, path].map { ShellWord(path: $0).text }.joined(separator: " "))"
        return isCurrent
          ? "copy it to a new version: \(command: copying); and put it back: \(command: restoring)"
          : "put it back: \(command: restoring); and make the change in a new version: \(command: copying)"
      }
      let looking: Advice = isExplained ? "" : "see what it was: \(command: GitAdvice.history(of: path)); "
      return "\(looking)put it back as it was and make the change in a new version: \(command: copying)"
    }
    let restoring: Advice =
      if let older = committed.revisionPath {
        "\(command: GitAdvice.writing(older, of: revision, to: path))"
      } else {
        GitAdvice.restoring(path, revision: revision)
      }
    guard isCurrent else {
      return "put it back: \(restoring); and make the change in a new version: \(command: copying)"
    }
    // In the revision, new-version --restore looks for the bundle at the path of today.
    guard committed.revisionPath == nil else {
      return "copy it to a new version: \(command: copying); and put it back: \(restoring)"
    }
    let moving = "modelctl new-version --restore \(ShellWord(revision).text) --model \(bundle)"
    return "put it back and move the change to a new version: \(command: moving)"
  }
}
