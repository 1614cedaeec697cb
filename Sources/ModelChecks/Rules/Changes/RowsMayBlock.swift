import MappingModels
import ModelDescription
import StoreMigration

extension Rule {
  static let rowsMayBlock = Rule(
    id: "rows-may-block",
    severity: .warning,
    purpose: "A relationship or entity that can hold less is known to refuse stores that hold more.",
    explanation: """
      A to-many relationship that becomes to-one can keep one link of each object, and an entity that becomes abstract \
      can keep no rows of its own. Whether a store can be migrated depends on its rows, so it works on the developer's \
      device and fails on some users'. Ask the stores you have, and write a mapping model for the rows in the way.
      """
  ) { history in
    history.issues(of: history.steps) { step in
      var seen: Set<ModelElement> = []
      return step.conditions.compactMap { condition -> RuleIssue? in
        switch condition.requirement {
        case .atMostOne, .oneOwner, .noRowsOfAbstract: break
        default: return nil
        }
        let element = step.destination.declaration(of: condition.requirement.element)
        guard seen.insert(element).inserted else { return nil }
        let remedy = condition.requirement.remedy.map { "; and migrate with the option \($0.option)" } ?? ""
        return RuleIssue(
          element, "from \(step.source.name) to \(step.destination.name), \(condition.requirement.explanation)",
          fix: "look for such rows with: \(RowQuestion(condition.query.rendered).command)\(remedy)",
          at: step.location(of: element))
      }
    }
  }
}
