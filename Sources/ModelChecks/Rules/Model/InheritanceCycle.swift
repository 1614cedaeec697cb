import ModelDescription

extension Rule {
  static let inheritanceCycle = Rule(
    id: "inheritance-cycle",
    severity: .error,
    purpose: "An entity must not inherit from itself, directly or through its parents.",
    explanation: """
      An entity inherits the properties of its parent, of its parent's parent, and so on. In a cycle this never ends, \
      and Core Data refuses the model. Remove the parent of an entity in the cycle.
      """
  ) { index in
    var reported: Set<String> = []
    return index.model.entities.compactMap { entity in
      guard !reported.contains(entity.name) else { return nil }
      let ancestors = index.ancestors(of: entity)
      guard (ancestors.last ?? entity).superentityName == entity.name else { return nil }
      let names = [entity.name] + ancestors.map(\.name)
      reported.formUnion(names)
      return RuleFinding(
        .entity(entity.name),
        "entities inherit from each other in a cycle: \((names + [entity.name]).joined(separator: " → "))",
        fix: "remove the parent of an entity in the cycle")
    }
  }
}
