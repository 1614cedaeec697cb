import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let ambiguousRenaming = Rule(
    id: "ambiguous-renaming",
    severity: .warning,
    purpose: "No two elements claim by name or renaming identifier to be the same former one.",
    explanation: """
      Where several elements claim one former element, none of them can be chosen: only those of equal names are \
      paired, and the data of the others is lost or migration is refused. Give each element a renaming identifier that \
      belongs to one element of the older version only.
      """
  ) { history in
    history.findings(of: history.steps) { step in
      step.difference.hints.compactMap { hint -> RuleFinding? in
        guard case .ambiguousPairing(let ambiguity) = hint else { return nil }
        let (claimants, claimed) = ambiguity.words()
        return RuleFinding(
          ambiguity.element,
          "\(claimants) of \(step.destination.name) and \(claimed) of \(step.source.name) claim each other by the name "
            + "“\(ambiguity.claimedName)”, so which continues which is not clear",
          fix: "give each a renaming identifier that names one element of \(step.source.name) only",
          at: step.location(of: ambiguity.element))
      }
    }
  }
}
