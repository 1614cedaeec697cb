import ModelDescription

extension MappingFindingSearch {
  func standIn(of entity: EntityMapping) -> PolicyStandIn? {
    entity.policyClassName.flatMap { mapping.policyStandIns[$0] }
  }

  func isImplemented(_ policy: String?) -> Bool { policy.map(policies.contains) ?? false }

  /// True where a policy class of the app may give objects and values that no expression says, and nothing replaces it.
  func mayBeOverruled(_ entity: EntityMapping) -> Bool {
    entity.policyClassName != nil && standIn(of: entity) == nil && !isImplemented(entity.policyClassName)
  }

  mutating func checkPolicy(of entity: EntityMapping) {
    guard let name = entity.policyClassName, !policies.contains(name), mapping.policyStandIns[name] == nil else {
      return
    }
    add(.error, entity, .missingPolicy(name))
  }

  /// Looks for functions of a policy that nobody gives; where the whole class is missing, that is reported once.
  mutating func checkFunctions(in expression: ValueExpression, of property: String, _ entity: EntityMapping) {
    for selector in PolicyCalls.selectors(in: expression) {
      guard let policy = entity.policyClassName else {
        add(.error, entity, property: property, .functionWithoutPolicy(selector: selector))
        continue
      }
      guard let standIn = mapping.policyStandIns[policy], !policies.contains(policy),
        standIn.functions[selector] == nil, standIn.attributes[property] == nil
      else { continue }
      add(.error, entity, property: property, .missingFunction(selector: selector, policy: policy))
    }
  }
}
