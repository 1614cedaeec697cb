import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let likelyRename = Rule(
    id: "likely-rename",
    severity: .warning,
    purpose: "What looks like a rename has a renaming identifier, so that its data is kept.",
    explanation: """
      Core Data pairs the elements of two versions by their names. An attribute that is only given another name is one \
      that goes and one that comes, and its values go with the first. A renaming identifier with the former name (in \
      Xcode: Renaming ID) says that it is the same one. Where it really is another, record the loss of the old one in the lock file, or silence the rule at the new one.
      """
  ) { history in
    history.issues(of: history.steps) { step in
      guard !history.isMapped(step) else { return [] }
      let allowed = history.lock?.entries[step.destination.name]?.allowedLosses ?? []
      return step.difference.hints.compactMap { hint -> RuleIssue? in
        guard case .looksLikeRename(let old, let new, let identifier) = hint, !allowed.contains("\(old)")
        else { return nil }
        return RuleIssue(
          new,
          "\(old) goes from \(step.source.name) and \(new) comes in \(step.destination.name): this looks like a rename, "
            + "and the data would be lost",
          fix: "if it is one, give it its renaming identifier: modelctl edit set \(ShellWord("\(new)").text) "
            + "\(ShellWord("renaming-identifier=\(identifier)").text) --in \(ShellWord(path: step.destination.file.path).text)",
          at: step.location(of: new))
      }
    }
  }
}
