import ModelDescription
import ModelFiles

extension Rule {
  static let releasedMappingChanged = Rule(
    id: "released-mapping-changed",
    severity: .error,
    purpose: "Do not change a mapping model that migrates released versions.",
    explanation: """
      Some of your users migrated with the released mapping model. If you edit it, users who update later get \
      different data, or their stores are refused. Tests of the last step do not show this. Restore the mapping model. \
      If you intend the edit, for example to repair a failing step, record it with `modelctl lock --relock` for \
      reviewers. Every change counts except line endings. If no released version passes the mapping model, the finding \
      is a note.
      """
  ) { history in
    history.mappingChanges.compactMap { change in
      guard let successor = change.successor else { return nil }
      let (source, destination) = (change.versions.source, change.versions.destination)
      let moved = successor == change.path ? "" : " (\(change.path) before)"
      let consequence =
        switch change.need {
        case .needed: "was changed, although stores of \(source) are migrated to \(destination) with it"
        case .unreleased: "was changed; it migrates to \(destination), which is not released"
        case .unused: "was changed; no released version uses it on the path to the current version"
        case .recordedAgain: "was edited and recorded again; stores of \(source) are migrated to \(destination) with it"
        }
      var finding = RuleFinding(
        .model, "the mapping model\(moved) \(consequence) (\(change.evidence))", fix: fix(change, history),
        at: history.start(ofMapping: successor))
      if change.need != .needed { finding.severity = .note }
      return finding
    }
  }

  private static func fix(_ change: MappingChange, _ history: BundleHistory) -> Advice? {
    let restoring: Advice =
      if let revision = change.revision {
        "restore it: \(GitAdvice.restoring(change.path, revision: revision))"
      } else if let copy = change.copy {
        "restore it: \(Advice.copying(copy, to: change.path))"
      } else { "restore it; to see its history: \(command: GitAdvice.history(of: change.path))" }
    switch change.need {
    case .recordedAgain:
      return "test the step: \(run: "modelctl", "rehearse", "--model", ShellWord.argument(history.bundle.path))"
    case .unreleased, .unused: return nil
    case .needed:
      guard history.lock != nil else { return restoring }
      let recording = ["modelctl", "lock", "--relock", history.lockArgument(change.versions.destination)]
      return "\(restoring); or, if you intend the edit, record it: \(run: recording)"
    }
  }
}
