import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let ambiguousRenaming = Rule(
    id: "ambiguous-renaming",
    severity: .warning,
    purpose: "Two elements must not continue the same element of the older version.",
    explanation: """
      Core Data pairs the elements of two versions by renaming identifier or name. If several elements match the same \
      source element, Core Data pairs only elements with equal names. You lose the data of the rest, or Core Data \
      refuses the migration. Give each renaming identifier to a single element.
      """
  ) { history in
    history.findings(of: history.steps) { step in
      step.difference.hints.compactMap { hint -> RuleFinding? in
        guard case .ambiguousPairing(let ambiguity) = hint else { return nil }
        let (claimants, claimed) = ambiguity.words()
        return RuleFinding(
          ambiguity.element,
          "\(claimants) of \(step.destination.name) and \(claimed) of \(step.source.name) share the name "
            + "“\(ambiguity.claimedName)”, so it is not clear which element continues which",
          fix: fix(ambiguity, on: step), at: step.location(of: ambiguity.element))
      }
    }
  }

  private static func fix(_ ambiguity: PairingAmbiguity, on step: VersionStep) -> Advice {
    let general: Advice = "give each element a renaming identifier that names a single element of \(step.source.name)"
    guard ambiguity.sources.count == 1 else { return general }
    let claimants = ambiguity.destinations.filter { $0 != ambiguity.claimedName }.prefix(3).map { name in
      if case .property(let entity, _) = ambiguity.element {
        ModelElement.property(entity: entity, name: name)
      } else {
        ModelElement.entity(name)
      }
    }
    let commands = claimants.map { step.destination.setting($0, "renaming-identifier=") }
    guard let first = commands.first else { return general }
    let leaving: Advice = """
      keep the renaming identifier “\(ambiguity.claimedName)” on a single element, and remove it from the rest: \
      \(run: first)
      """
    return commands.dropFirst().reduce(into: leaving) { $0 = "\($0); or: \(run: $1)" }
  }
}
