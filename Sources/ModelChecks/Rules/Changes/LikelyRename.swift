import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let likelyRename = Rule(
    id: "likely-rename",
    severity: .error,
    purpose: "A renamed element needs a renaming identifier, so that you keep its data.",
    explanation: """
      To Core Data, a renamed attribute is an attribute removed and an attribute added, so you lose its values. Set \
      the renaming identifier (in Xcode: Renaming ID) to the earlier name. The rule reports two elements if their \
      types are equal and their names, positions and settings are similar. A similar position is not enough: the names \
      must be similar, or the settings equal. The finding is an error until the loss is recorded, and a warning after \
      that. If the element is really new, record the loss in the lock file, and ignore the rule at the new element. \
      The recorded loss alone is not enough, because it is easily recorded by mistake.
      """
  ) { history in
    history.findings(of: history.steps) { step in
      guard !history.isMapped(step) else { return [] }
      let losses = history.unrecordedLosses(of: step)
      let lost = Set(losses.map(\.element))
      return step.likelyRenames.map { rename in
        let consent = history.consent(
          to: history.lossesToRecord(with: rename.old, among: losses, of: step), of: step)
        let otherwise = lost.contains(rename.old) ? "\(consent); and \(silencing)" : silencing
        var finding = RuleFinding(
          rename.new,
          "\(step.destination.name) removes \(rename.old) and adds \(rename.new); this looks like a rename, but the data of "
            + "\(rename.old) would be lost",
          fix: """
            if you renamed it, set the renaming identifier: \(run: step.command(toKeep: rename)); or, if \(rename.new) is \
            new, \(otherwise)
            """,
          at: step.location(of: rename.new))
        if !lost.contains(rename.old) { finding.severity = .warning }
        return finding
      }
    }
  }

  private static let silencing: Advice =
    "ignore the rule there with the userInfo entry modelctl.ignore and its value likely-rename"
}

extension VersionStep {
  typealias LikelyRename = (old: ModelElement, new: ModelElement, identifier: String)

  /// The removed and added elements that look like a rename without a renaming identifier.
  var likelyRenames: [LikelyRename] {
    difference.hints.compactMap { hint in
      guard case .looksLikeRename(let old, let new, let identifier) = hint else { return nil }
      return (old, new, identifier)
    }
  }

  /// The command that gives a renamed element its renaming identifier.
  func command(toKeep rename: LikelyRename) -> [String] {
    destination.setting(rename.new, "renaming-identifier=\(rename.identifier)")
  }

  /// The locations of the likely renames, by the removed element.
  var likelyRenameLocations: [ModelElement: ElementLocation] {
    Dictionary(
      likelyRenames.map { ($0.old, ElementLocation(path: location(of: $0.new).file, element: $0.new)) },
      uniquingKeysWith: { first, _ in first })
  }
}
