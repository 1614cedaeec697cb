import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

extension Rule {
  static let uniquenessAdded = Rule(
    id: "uniqueness-added",
    severity: .warning,
    purpose: "A new uniqueness constraint refuses stores with duplicates.",
    explanation: """
      If a store has two rows with equal values, Core Data cannot migrate it to a version that forbids them. Your \
      users then get a constraint violation (NSCocoaErrorDomain 134111) at every launch. Query the stores you have for \
      duplicates. Remove the duplicates in an earlier release or with `--dedupe`, and then ignore the rule at the \
      entity.
      """
  ) { history in
    history.findings(of: history.steps) { step in
      step.conditions.compactMap { condition -> RuleFinding? in
        guard case .unique(let entity, let properties) = condition.requirement else { return nil }
        let constraints = step.destination.hierarchy.entity(named: entity)?.uniquenessConstraints ?? []
        let position = constraints.firstIndex(of: properties)
        let element = position.map { ModelElement.uniquenessConstraint(entity: entity, position: $0) }
        return RuleFinding(
          element ?? .entity(entity),
          "\(entity) becomes unique by \(properties.joined(separator: ", ")) in \(step.destination.name): stores in which "
            + "several rows have the same values cannot be migrated",
          fix: fix(RowQuestion(condition, on: step), entity),
          at: step.location(of: element ?? .entity(entity)))
      }
    } + history.pathFindings(where: \.isAboutUniqueness) { "\($0.name) is unique, so duplicates cannot be migrated" }
  }

  private static func fix(_ question: RowQuestion, _ entity: String) -> Advice {
    """
    have your app merge duplicates before it migrates, in an earlier release or in the willMigrate handler of a custom \
    stage; to list them\(question.sign): \(run: question.command); or, to keep the newest with modelctl: \
    \(option: "--dedupe", "\(entity)=keep-newest")
    """
  }
}

extension MappingRequirement {
  fileprivate var isAboutUniqueness: Bool { if case .unique = self { true } else { false } }
}
