import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let likelyRename = Rule(
    id: "likely-rename",
    severity: .warning,
    purpose: "A renamed element needs a renaming identifier, so that you keep its data.",
    explanation: """
      To Core Data, a renamed attribute is an attribute removed and an attribute added, so you lose its values. Set \
      the renaming identifier (in Xcode: Renaming ID) to the earlier name. The rule reports two elements if their \
      types are equal and their names, positions and settings are similar. If the element is really new, record the \
      loss in the lock file, and ignore the rule at the new element. The recorded loss alone is not enough, because it \
      is easily recorded by mistake.
      """
  ) { history in
    history.findings(of: history.steps) { step in
      guard !history.isMapped(step) else { return [] }
      let losses = history.unrecordedLosses(of: step)
      let lost = Set(losses.map(\.element))
      let consent = history.consent(to: losses, of: step)
      return step.likelyRenames.map { rename in
        let otherwise = lost.contains(rename.old) ? "\(consent); and \(silencing)" : silencing
        var finding = RuleFinding(
          rename.new,
          "\(rename.old) goes from \(step.source.name) and \(rename.new) comes in \(step.destination.name): this looks "
            + "like a rename, and the data would be lost",
          fix: """
            if it is one, give it its renaming identifier: \(command: step.command(toKeep: rename)); if it is another, \
            \(otherwise)
            """,
          at: step.location(of: rename.new))
        if lost.contains(rename.old) { finding.severity = .error }
        return finding
      }
    }
  }

  private static let silencing: Advice =
    "silence the rule there: a userInfo entry modelctl.ignore with the value likely-rename"
}

extension VersionStep {
  typealias LikelyRename = (old: ModelElement, new: ModelElement, identifier: String)

  /// What goes and comes and looks like one, although no renaming identifier says so.
  var likelyRenames: [LikelyRename] {
    difference.hints.compactMap { hint in
      guard case .looksLikeRename(let old, let new, let identifier) = hint else { return nil }
      return (old, new, identifier)
    }
  }

  /// The command that gives a renamed element its renaming identifier.
  func command(toKeep rename: LikelyRename) -> String {
    destination.setting(rename.new, "renaming-identifier=\(rename.identifier)")
  }

  /// Where the likely renames are found by which what goes is there under another name.
  var likelyRenamePlaces: [ModelElement: ModelPlace] {
    Dictionary(
      likelyRenames.map { ($0.old, ModelPlace(path: location(of: $0.new).file, element: $0.new)) },
      uniquingKeysWith: { first, _ in first })
  }
}
