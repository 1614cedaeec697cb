import ModelComparison
import ModelDescription
import ModelFiles
import PersistentStores

extension Rule {
  static let defaultNotApplied = Rule(
    id: "default-not-applied",
    severity: .note,
    purpose: "Existing rows do not get a changed default value, validation or value transformer.",
    explanation: """
      Core Data uses default values, bounds and patterns only when your app creates or saves objects. Existing rows \
      keep their values. If a row breaks a new bound, your app cannot save it until you correct the value. A new value \
      transformer must read the values that the earlier transformer wrote. To change existing rows, write a mapping \
      model or update the rows in your app. These settings are not part of the version hash (see `equal-hashes`).
      """
  ) { history in
    history.findings(of: history.steps) { step in
      // A mapping model for the step decides about the rows.
      guard !history.isMapped(step) else { return [] }
      return step.unreachedChanges { !$0.isIndex }.map { change, aspect in
        let writing = history.mappingCommand(from: step.source.name, to: step.destination.name)
        return RuleFinding(
          change.element,
          "\(change.element): \(aspect.words) changed in \(step.destination.name), but not for existing rows",
          fix: aspect == .valueTransformer
            ? "make sure that the new transformer reads the stored values, or write a mapping model: \(run: writing)"
            : "write a mapping model to change existing rows too: \(run: writing)",
          at: step.location(of: change.element))
      }
    }
  }
}

extension Aspect {
  /// The name of the setting in a sentence.
  fileprivate var words: String {
    switch self {
    case .defaultValue: "the default value"
    case .minimum: "the minimum value"
    case .maximum: "the maximum value"
    case .regularExpression: "the pattern"
    case .valueTransformer: "the value transformer"
    default: rawValue
    }
  }
}
