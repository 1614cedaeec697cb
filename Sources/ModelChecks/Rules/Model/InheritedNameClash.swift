import ModelDescription

extension Rule {
  static let inheritedNameClash = Rule(
    id: "inherited-name-clash",
    severity: .warning,
    purpose: "A property does not hide one of the same name that its entity inherits."
  ) { index in
    index.model.entities.flatMap { entity in
      let ancestors = index.ancestors(of: entity)
      return entity.propertyNames.compactMap { name -> RuleIssue? in
        guard let ancestor = ancestors.first(where: { $0.propertyNames.contains(name) }) else { return nil }
        return RuleIssue(
          .property(entity: entity.name, name: name),
          "property \(entity.name).\(name) hides the one inherited from \(ancestor.name)",
          fix: "rename it, or remove it and use the inherited one")
      }
    }
  }
}
