import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let defaultNotApplied = Rule(
    id: "default-not-applied",
    severity: .note,
    purpose: "A changed default value, validation or value transformer is known not to reach existing rows.",
    explanation: """
      Default values, bounds and patterns are no part of a version hash and are only used when objects are made or \
      saved. Rows that exist keep the values they have, and those that break a new bound cannot be saved until they are \
      mended. Change the rows in a mapping model or in the app where they are to have the new value. A value transformer is \
      no part of a hash either: rows hold what the old one wrote, and the new one has to read it.
      """
  ) { history in
    history.findings(of: history.steps) { step in
      // Whoever wrote a mapping model for the step has decided about the rows.
      guard !history.isMapped(step) else { return [] }
      return step.unreachedChanges { !$0.isIndex }.map { change, aspect in
        let writing = history.mappingCommand(from: step.source.name, to: step.destination.name)
        return RuleFinding(
          change.element,
          "\(change.element): \(aspect.words) changed in \(step.destination.name), which does not reach existing rows",
          fix: aspect == .valueTransformer
            ? "see that the new one reads what the old one wrote, or write a mapping model with: \(command: writing)"
            : "to change them too, write a mapping model with: \(command: writing)",
          at: step.location(of: change.element))
      }
    }
  }
}

extension Aspect {
  /// The setting as people call it.
  fileprivate var words: String {
    switch self {
    case .defaultValue: "the default value"
    case .minimum: "the least value"
    case .maximum: "the greatest value"
    case .regularExpression: "the pattern"
    case .valueTransformer: "the value transformer"
    default: rawValue
    }
  }
}
