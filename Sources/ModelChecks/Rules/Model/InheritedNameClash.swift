import ModelDescription

extension Rule {
  static let inheritedNameClash = Rule(
    id: "inherited-name-clash",
    severity: .warning,
    purpose: "A property must not have the name of an inherited property.",
    explanation: """
      A sub-entity has all properties of its parent. If you declare a property with the same name, it hides the \
      inherited property. A fetch of the parent then reads different properties in different rows. Rename the \
      property, or remove it and use the inherited property.
      """
  ) { index in
    index.model.entities.flatMap { entity in
      let ancestors = index.ancestors(of: entity)
      return entity.propertyNames.compactMap { name -> RuleFinding? in
        guard let ancestor = ancestors.first(where: { $0.propertyNames.contains(name) }) else { return nil }
        let element = ModelElement.property(entity: entity.name, name: name)
        return RuleFinding(
          element,
          "property \(entity.name).\(name) hides the property inherited from \(ancestor.name)",
          fix: "rename it, or remove it and use the inherited property",
          edits: [["rename", "\(element)", "NAME"], ["remove", "\(element)"]])
      }
    }
  }
}
