import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let staleRenamingIdentifier = Rule(
    id: "stale-renaming-identifier",
    severity: .warning,
    purpose: "A renaming identifier is the one that the element has had from its first version on.",
    explanation: """
      Elements of two versions are one when their renaming identifiers are equal, the name standing in where there is \
      none. An element that is renamed a second time must keep the identifier of the first time. With its previous \
      name instead, a store of the previous version still finds it, and a store of any older version loses the data.
      """
  ) { history in
    history.findings(of: history.steps) { step in
      step.difference.hints.compactMap { hint -> RuleFinding? in
        guard case .identifierNamesPreviousName(let element, let identifier, let canonicalName) = hint else {
          return nil
        }
        return RuleFinding(
          element,
          "the renaming identifier “\(identifier)” of \(element) is its name in \(step.source.name), where its own "
            + "identifier is “\(canonicalName)”; stores of older versions would lose it",
          fix: """
            keep the identifier it had: \
            \(command: step.destination.setting(element, "renaming-identifier=\(canonicalName)"))
            """,
          at: step.location(of: element))
      }
    }
  }
}
