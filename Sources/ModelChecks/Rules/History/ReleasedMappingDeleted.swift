import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let releasedMappingDeleted = Rule(
    id: "released-mapping-deleted",
    severity: .error,
    purpose: "Do not delete a mapping model that migrates released versions.",
    explanation: """
      Users update from every version you released, so you need the mapping model until the last of them has updated. \
      Without it, inference refuses stores or loses the data that the mapping model keeps. Restore the mapping model. \
      modelctl knows it from the base and the lock file. If no released version passes it, the finding is a note.
      """
  ) { history in
    history.mappingChanges.filter { $0.successor == nil }.map { change in
      let (source, destination) = (change.versions.source, change.versions.destination)
      let consequence =
        switch change.need {
        case .needed: ", although stores of \(source) are migrated to \(destination) with it"
        case .unreleased: "; it migrated to \(destination), which is not released"
        case .unused: "; no released version uses it on the path to the current version"
        case .recordedAgain: ", as the lock file records; stores of \(source) are migrated to \(destination) without it"
        }
      var finding = RuleFinding(
        .model, "the mapping model \(change.path) is deleted\(consequence) (\(change.evidence))",
        fix: fix(change, history), at: history.start(of: change))
      if change.need != .needed { finding.severity = .note }
      return finding
    }
  }

  private static func fix(_ change: MappingChange, _ history: BundleHistory) -> Advice? {
    switch change.need {
    case .needed: restoring(change)
    case .recordedAgain:
      "test the step: \(run: "modelctl", "rehearse", "--model", ShellWord.argument(history.bundle.path))"
    case .unreleased, .unused: nil
    }
  }

  /// The advice to restore a mapping model: from git, from the folder that is the base, or from your own copy.
  private static func restoring(_ change: MappingChange) -> Advice {
    if change.revision == nil, let copy = change.copy {
      return "restore it: \(Advice.copying(copy, to: change.path))"
    }
    guard change.revision != nil || GitAdvice.canRun(at: change.path) else {
      return "restore it from a copy of the project, because its folder is not in a git repository"
    }
    return "restore it: \(GitAdvice.restoring(change.path, revision: change.revision))"
  }
}

extension BundleHistory {
  /// The location of a deleted mapping model's destination in the lock file; if it is not there, the start of the version.
  func start(of change: MappingChange) -> SourceLocation? {
    lock?.entries[change.versions.destination]?.location
      ?? version(named: change.versions.destination)?.location(of: .model)
  }
}
