import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let staleRenamingIdentifier = Rule(
    id: "stale-renaming-identifier",
    severity: .warning,
    purpose: "An element must keep its renaming identifier if you rename it again.",
    explanation: """
      Core Data pairs elements with equal renaming identifiers; without an identifier, it uses the name. If you rename \
      an element a second time, keep the identifier from the first time. With the previous name instead, stores of the \
      previous version migrate, but stores of older versions lose the data.
      """
  ) { history in
    history.findings(of: history.steps) { step in
      step.difference.hints.compactMap { hint -> RuleFinding? in
        guard case .identifierNamesPreviousName(let element, let identifier, let canonicalName) = hint else {
          return nil
        }
        return RuleFinding(
          element,
          "the renaming identifier “\(identifier)” of \(element) is its name in \(step.source.name), which has the "
            + "renaming identifier “\(canonicalName)”; stores of older versions would lose its data",
          fix: """
            keep the earlier renaming identifier: \
            \(run: step.destination.setting(element, "renaming-identifier=\(canonicalName)"))
            """,
          at: step.location(of: element))
      }
    }
  }
}
