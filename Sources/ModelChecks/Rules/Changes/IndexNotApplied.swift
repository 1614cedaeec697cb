import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let indexNotApplied = Rule(
    id: "index-not-applied",
    severity: .warning,
    purpose: "A changed index comes with a change that makes existing stores get it.",
    explanation: """
      Indexes are no part of a version hash. When nothing else of the entity changes, Core Data opens an existing store \
      without a migration of it, and the store never gets the index: only new installations are faster. Change the \
      entity's version hash modifier (in Xcode: Hash Modifier) together with its indexes.
      """
  ) { history in
    history.findings(of: history.steps) { step in
      step.unreachedChanges(where: \.isIndex).map { change, _ in
        let entity = change.element.entityName ?? ""
        let isGone = change.kind == .removed
        let holder = isGone ? step.place(ofSource: .entity(entity)).element : .entity(entity)
        let place = isGone ? step.source : step.destination
        let verb =
          switch change.kind {
          case .added: "is new"
          case .removed: "is gone"
          default: "changed"
          }
        let subject =
          if case .property = change.element { "the index of \(change.element)" } else { "\(change.element)" }
        return RuleFinding(
          change.element,
          "\(subject) \(verb) in \(step.destination.name) and nothing that the hash of \(entity) depends on, so existing stores "
            + "keep the indexes they have",
          fix: """
            give \(entity) another version hash modifier: \
            \(command: step.destination.modifying(holder))
            """,
          at: place.location(of: change.element))
      }
    }
  }
}
