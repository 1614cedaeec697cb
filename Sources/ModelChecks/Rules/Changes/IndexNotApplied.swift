import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let indexNotApplied = Rule(
    id: "index-not-applied",
    severity: .warning,
    purpose: "If you change the indexes of an entity, change its version hash modifier too.",
    explanation: """
      Indexes are not part of the version hash (see `equal-hashes`). If you change only the indexes of an entity, Core \
      Data opens existing stores without migrating the entity. These stores never get the index, so your app is faster \
      only in new installations. Change the version hash modifier of the entity (in Xcode: Hash Modifier) in the same \
      version.
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
          case .removed: "is removed"
          default: "changed"
          }
        let subject =
          if case .property = change.element { "the index of \(change.element)" } else { "\(change.element)" }
        return RuleFinding(
          change.element,
          "\(subject) \(verb) in \(step.destination.name), but the hash of \(entity) does not change, so existing "
            + "stores keep the indexes they have",
          fix: "change the version hash modifier of \(entity): \(run: step.destination.modifying(holder))",
          at: place.location(of: change.element))
      }
    }
  }
}
