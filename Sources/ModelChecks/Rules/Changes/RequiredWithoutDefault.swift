import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

extension Rule {
  static let requiredWithoutDefault = Rule(
    id: "required-without-default",
    severity: .error,
    purpose: "A property that becomes required needs a value for existing rows.",
    explanation: """
      If you add a required attribute without a default value, existing rows do not have a value for it. If you make \
      an optional attribute required, some rows may lack a value. Core Data then refuses to migrate the store on your \
      user's device (\(CoreDataError.migration)). Give the attribute a default value, keep it optional for one \
      version, or fill it in a mapping model.
      """
  ) { history in
    history.findings(of: history.steps) { step in
      let conditions = step.conditions.filter(\.requirement.isMandatory)
      var grouped = Dictionary(grouping: conditions) {
        step.destination.hierarchy.declaration(of: $0.requirement.element)
      }
      return conditions.compactMap { condition -> RuleFinding? in
        let element = step.destination.hierarchy.declaration(of: condition.requirement.element)
        return grouped.removeValue(forKey: element).map { finding($0, of: element, on: step) }
      }
    }
      + history.pathFindings(where: \.isMandatory) {
        "\($0.element) is required, so rows without it cannot be migrated"
      }
  }

  /// The finding about an element with all conditions on it and on its parts.
  private static func finding(
    _ conditions: [PathPartForecast.Condition], of element: ModelElement, on step: VersionStep
  ) -> RuleFinding {
    let isAttribute = conditions.contains(where: \.requirement.isAboutAttribute)
    let isNew = step.isNew(element)
    let version = step.destination.name
    let parts = Set(conditions.compactMap(\.requirement.compositePart)).sorted()
    let names = NameList.text(parts, last: " and ")
    let areSeveral = parts.count > 1
    let values = areSeveral ? "default values" : "a default value"
    let message =
      switch (isAttribute, isNew) {
      case (true, true):
        """
        \(element) is new in \(version), required and without \(values)\(parts.isEmpty ? "" : " for \(names)"): \
        existing rows do not have \(areSeveral ? "these values" : "a value")
        """
      case (true, false):
        """
        \(parts.isEmpty ? "" : "\(names) of ")\(element) \(areSeveral ? "become" : "becomes") required in \(version), \
        without \(values): rows that do not have \(areSeveral ? "all these values" : "a value") cannot be migrated
        """
      case (false, true): "\(element) is new in \(version) and required: existing rows do not have a link"
      case (false, false): "\(element) becomes required in \(version): rows without a link cannot be migrated"
      }
    let optional: Advice = "make it optional: \(run: step.destination.setting(element, "optional=yes"))"
    let filling = step.destination.setting(element, "default=VALUE")
    let takesDefault = isAttribute && parts.isEmpty && step.destination.takesDefault(element)
    var fix: Advice =
      if !parts.isEmpty, isAttribute {
        "give \(names) \(values) in the composite type; or \(optional)"
      } else { takesDefault ? "give it a default value: \(run: filling); or \(optional)" : optional }
    if !isNew {
      var seen: Set<[String]> = []
      let questions = conditions.map { RowQuestion($0, on: step).command }.filter { seen.insert($0).inserted }
      for (position, question) in questions.enumerated() {
        fix = "\(fix); \(position == 0 ? "to list the rows in the way" : "and"): \(run: question)"
      }
    }
    return RuleFinding(element, message, fix: fix, at: step.location(of: element))
  }
}

extension LoadedVersion {
  /// True for an attribute whose default value can be written in an editor.
  fileprivate func takesDefault(_ element: ModelElement) -> Bool {
    guard case .property(let entity, let name) = element else { return false }
    return switch hierarchy.allAttributes(of: entity)[name]?.property.type {
    case .binary, .transformable, .objectID, .composite, .undefined, .unrecognized, nil: false
    default: true
    }
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

  fileprivate var isAboutAttribute: Bool { if case .mandatoryAttribute = self { true } else { false } }

  /// The element of a composite attribute that must have a value, by its path in the attribute.
  fileprivate var compositePart: String? {
    guard case .mandatoryAttribute(_, let path) = self, let dot = path.firstIndex(of: ".") else { return nil }
    return String(path[path.index(after: dot)...])
  }
}
