import ModelDescription
import ModelFiles

extension Rule {
  static let releasedMappingChanged = Rule(
    id: "released-mapping-changed",
    severity: .error,
    purpose: "A mapping model that users are migrated with stays as it is.",
    explanation: """
      Some users were migrated with the mapping model as it was released, and those who update later would get other data. \
      An edit can also refuse stores that passed, and nobody who tests the last step notices. Put it back; where the edit \
      is meant, such as the mending of a step that fails, record it with modelctl lock --relock, so that a reviewer sees \
      it. Any change of the file counts, but for the ends of its lines; a mapping model that no released version passes is a note.
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
