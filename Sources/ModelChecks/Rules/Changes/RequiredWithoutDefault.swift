import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreMigration

extension Rule {
  static let requiredWithoutDefault = Rule(
    id: "required-without-default",
    severity: .error,
    purpose: "What becomes required has a value for the rows that exist.",
    explanation: """
      A new attribute that is required and has no default value has no value in any existing row, and one that is newly \
      required has none in the rows that were allowed to lack it. Core Data then refuses to migrate the store on the \
      user's device (\(CoreDataError.migration)). Give the attribute a default value, keep it optional for one version, \
      or fill it in a mapping model.
      """
  ) { history in
    history.findings(of: history.steps) { step in
      var seen: Set<ModelElement> = []
      return step.conditions.compactMap { condition -> RuleFinding? in
        let requirement = condition.requirement
        let element = step.destination.declaration(of: requirement.element)
        guard requirement.isMandatory, seen.insert(element).inserted else { return nil }
        let isNew = step.isNew(element)
        let lack =
          switch (requirement.isAboutAttribute, isNew) {
          case (true, true): "required and without a default value: every existing row lacks it"
          case (true, false): "without a default value: rows that lack it cannot be migrated"
          case (false, true): "required: no existing row has a link"
          case (false, false): "and rows without a link cannot be migrated"
          }
        return RuleFinding(
          element, "\(element) \(isNew ? "is new in" : "becomes required in") \(step.destination.name), \(lack)",
          fix: advice(requirement, isNew: isNew, query: condition.query.rendered), at: step.location(of: element))
      }
    }
      + history.pathFindings(where: \.isMandatory) {
        "\($0.element) is required, and rows that lack it cannot be migrated"
      }
  }

  private static func advice(_ requirement: MappingRequirement, isNew: Bool, query: String) -> Advice {
    let optional = "make it optional"
    let options = requirement.isAboutAttribute ? "give it a default value, or \(optional)" : optional
    guard !isNew else { return Advice(options) }
    return "\(options); the rows in the way: \(command: RowQuestion(query).command)"
  }
}

extension MappingRequirement {
  /// True when rows must have a value or a link.
  var isMandatory: Bool {
    switch self {
    case .mandatoryAttribute, .mandatoryRelationship: true
    default: false
    }
  }

  fileprivate var isAboutAttribute: Bool {
    if case .mandatoryAttribute = self { true } else { false }
  }
}
