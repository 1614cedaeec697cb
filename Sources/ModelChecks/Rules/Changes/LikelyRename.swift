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
      Xcode: Renaming ID) says that it is the same one. What goes and comes looks like one where both have one type and \
      their names, their places and their other settings agree enough. Where it really is another, record the loss of \
      the old one in the lock file and silence the rule at the new one: consent alone does not, because it is easily \
      given by mistake.
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
