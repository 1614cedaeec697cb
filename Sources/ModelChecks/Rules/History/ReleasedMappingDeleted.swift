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
        case .unreleased: "; it led to \(destination), which is not released"
        case .unused: ", which no released version passes on the path to the current one"
        case .recordedAnew: ", as the lock file records; stores of \(source) get to \(destination) without it"
        }
      var finding = RuleFinding(
        .model, "the mapping model \(change.path) is gone\(consequence) (\(change.evidence))",
        fix: fix(change, history), at: history.start(of: change))
      if change.need != .needed { finding.severity = .note }
      return finding
    }
  }

  private static func fix(_ change: MappingChange, _ history: BundleHistory) -> Advice? {
    switch change.need {
    case .needed: restoring(change)
    case .recordedAnew:
      "try the step with: \(command: "modelctl rehearse --model \(ShellWord(path: history.bundle.path).text)")"
    case .unreleased, .unused: nil
    }
  }

  /// What brings a mapping model back: from git, from the folder that is the base, or from wherever the user has it.
  private static func restoring(_ change: MappingChange) -> Advice {
    if change.revision == nil, let copy = change.copy {
      return "bring it back: \(Advice.copying(copy, to: change.path))"
    }
    guard change.revision != nil || GitAdvice.canRun(at: change.path) else {
      return "bring it back from a copy of the project, because its folder is in no git repository"
    }
    return "bring it back: \(GitAdvice.restoring(change.path, revision: change.revision))"
  }
}

extension BundleHistory {
  /// Where the lock file records the version that a mapping model led to, else where that version begins.
  func start(of change: MappingChange) -> SourceLocation? {
    lock?.entries[change.versions.destination]?.location
      ?? version(named: change.versions.destination)?.location(of: .model)
  }
}
