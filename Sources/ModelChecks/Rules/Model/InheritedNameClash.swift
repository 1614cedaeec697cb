import ModelDescription

extension Rule {
  static let inheritedNameClash = Rule(
    id: "inherited-name-clash",
    severity: .warning,
    purpose: "A property does not hide one of the same name that its entity inherits.",
    explanation: """
      A sub-entity has all properties of its parent. When it declares one of the same name, its own replaces the \
      inherited one, and a fetch for the parent's property reads different things in different rows. Give it another \
      name, or remove it and use the inherited one.
      """
  ) { index in
    index.model.entities.flatMap { entity in
      let ancestors = index.ancestors(of: entity)
      return entity.propertyNames.compactMap { name -> RuleFinding? in
        guard let ancestor = ancestors.first(where: { $0.propertyNames.contains(name) }) else { return nil }
        let element = ModelElement.property(entity: entity.name, name: name)
        return RuleFinding(
          element,
          "property \(entity.name).\(name) hides the one inherited from \(ancestor.name)",
          fix: "rename it, or remove it and use the inherited one",
          edits: ["rename \(element.word) NAME", "remove \(element.word)"])
      }
    }
  }
}
