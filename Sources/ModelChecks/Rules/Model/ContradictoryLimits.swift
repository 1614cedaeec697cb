import ModelComparison
import ModelDescription

extension Rule {
  static let contradictoryLimits = Rule(
    id: "contradictory-limits",
    severity: .warning,
    purpose: "Limits must not contradict each other or the default value.",
    explanation: """
      Core Data checks limits when your app saves an object. If the minimum is above the maximum, your app cannot save \
      any object. If the default value breaks a limit, your app must set a different value first. Correct the limit or \
      the default value. Neither changes the version hash, except the counts of a relationship.
      """
  ) { index in
    index.model.entities.flatMap { entity in
      let attributes = entity.attributes.compactMap { attribute in
        attribute.limitContradiction.map { contradiction in
          finding(
            contradiction, at: .property(entity: entity.name, name: attribute.name), isLength: attribute.type == .string
          )
        }
      }
      let impossible = entity.relationships.filter { $0.maxCount > 0 && $0.minCount > $0.maxCount }
      let relationships = impossible.map { relationship in
        let element = ModelElement.property(entity: entity.name, name: relationship.name)
        return RuleFinding(
          element,
          "\(element) needs at least \(relationship.minCount) objects and takes at most \(relationship.maxCount)",
          fix: "correct its minimum and maximum count",
          edits: [["set", "\(element)", "count=\(relationship.maxCount)..\(relationship.minCount)"]])
      }
      return attributes + relationships
    }
  }

  private static func finding(
    _ contradiction: LimitContradiction, at name: ModelElement, isLength: Bool
  ) -> RuleFinding {
    let what = isLength ? "length" : "value"
    let message =
      switch contradiction {
      case .minimumAboveMaximum(let minimum, let maximum):
        "the minimum \(what) of \(name), \(AspectValue.value(minimum)), is above the maximum, \(AspectValue.value(maximum))"
      case .defaultBelowMinimum(let value, let minimum):
        "the default value of \(name), \(AspectValue.value(value)), is below the minimum \(what), \(AspectValue.value(minimum))"
      case .defaultAboveMaximum(let value, let maximum):
        "the default value of \(name), \(AspectValue.value(value)), is above the maximum \(what), \(AspectValue.value(maximum))"
      }
    var isDefault = true
    if case .minimumAboveMaximum = contradiction { isDefault = false }
    return RuleFinding(
      name, message, fix: "correct the limits\(isDefault ? " or the default value" : "")",
      edits: [["set", "\(name)"] + (isDefault ? ["default=VALUE"] : ["minimum=VALUE", "maximum=VALUE"])])
  }
}
