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
        case .needed: "is not what it was, although stores of \(source) are migrated to \(destination) with it"
        case .unreleased: "is not what it was; it leads to \(destination), which is not released"
        case .unused: "is not what it was; no released version passes it on the path to the current one"
        case .recordedAnew: "was edited and is recorded anew; stores of \(source) get to \(destination) by it"
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
        "put it back: \(GitAdvice.restoring(change.path, revision: revision))"
      } else if let copy = change.copy {
        "put it back: \(Advice.copying(copy, to: change.path))"
      } else { "see what it was: \(command: GitAdvice.history(of: change.path)); and put it back" }
    switch change.need {
    case .recordedAnew:
      return "try the step with: \(command: "modelctl rehearse --model \(ShellWord(path: history.bundle.path).text)")"
    case .unreleased, .unused: return nil
    case .needed:
      guard history.lock != nil else { return restoring }
      let recording = "modelctl lock --relock \(history.lockArgument(change.versions.destination))"
      return "\(restoring); or, where the edit is meant, record it: \(command: recording)"
    }
  }
}
