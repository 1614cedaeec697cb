import ModelDescription

extension Rule {
  static let inheritanceCycle = Rule(
    id: "inheritance-cycle",
    severity: .error,
    purpose: "No entity inherits from itself, directly or through others.",
    explanation: """
      An entity gets the properties of its parent, and of that one's parent, to the end; in a circle there is no \
      end, and Core Data refuses the model. Remove the parent of one of the entities in the circle.
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
        "entities inherit from each other in a circle: \((names + [entity.name]).joined(separator: " → "))",
        fix: "remove the parent of one of them")
    }
  }
}
