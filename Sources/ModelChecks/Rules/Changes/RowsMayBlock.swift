import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

extension Rule {
  static let rowsMayBlock = Rule(
    id: "rows-may-block",
    severity: .warning,
    purpose: "Existing rows may not fit a relationship or entity that can hold less.",
    explanation: """
      If a to-many relationship becomes to-one, it can keep only one link of each object. If an entity becomes \
      abstract, it cannot keep rows of its own. The rows decide if a store can be migrated, so the migration can work \
      on your device and fail for some users. Query the stores you have, and write a mapping model for the rows that \
      block.
      """
  ) { history in
    history.findings(of: history.steps) { step in
      var seen: Set<ModelElement> = []
      return step.conditions.compactMap { condition -> RuleFinding? in
        guard condition.requirement.limitsRows else { return nil }
        let element = step.destination.hierarchy.declaration(of: condition.requirement.element)
        guard seen.insert(element).inserted else { return nil }
        let remedy: Advice = condition.requirement.remedy.map { "; or migrate with modelctl and \($0.advice)" } ?? ""
        return RuleFinding(
          element, "from \(step.source.name) to \(step.destination.name), \(condition.requirement.explanation)",
          fix: """
            look for such rows with: \(command: RowQuestion(condition, on: step).command); and have the app mend them \
            before it migrates\(remedy)
            """,
          at: step.location(of: element))
      }
    } + history.pathFindings(where: \.limitsRows, words: \.condition.requirement.explanation)
  }
}

extension MappingRequirement {
  /// True when rows may hold more than the destination can.
  fileprivate var limitsRows: Bool {
    switch self {
    case .atMostOne, .oneOwner, .noRowsOfAbstract: true
    default: false
    }
  }
}

extension BundleHistory {
  /// What newly blocks rows on the paths of released versions, one error a step.
  func pathFindings(
    where isMeant: (MappingRequirement) -> Bool, words: (VersionStep.Blocker) -> String
  ) -> [RuleFinding] {
    pathSteps.compactMap { path in
      let found = path.newBlockers.filter { isMeant($0.condition.requirement) }.map {
        (element: $0.element, location: Optional(path.step.location(of: $0.element)), words: words($0))
      }
      let (source, destination) = (path.step.source.name, path.step.destination.name)
      let accepting = "modelctl lock --relock \(lockArgument(destination))"
      let consent: Advice = lock == nil ? "" : "; or accept it: \(command: accepting)"
      let writing = mappingCommand(from: source, to: destination)
      return path.finding(found, fix: "write a mapping model with: \(command: writing)\(consent)")
    }
  }
}
