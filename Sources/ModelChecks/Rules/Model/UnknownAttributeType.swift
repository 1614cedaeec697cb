import ModelDescription

extension Rule {
  static let unknownAttributeType = Rule(
    id: "unknown-attribute-type",
    severity: .error,
    purpose: "Every stored attribute has a type that Core Data knows.",
    explanation: """
      The type decides the column and enters the version hash. Core Data cannot load a model with a type that it \
      does not know, and an attribute that is stored needs one. Write one of the types that Xcode offers, or make \
      the attribute transient.
      """
  ) { index in
    let composites = Set(index.model.composites.map(\.name))
    return index.model.entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        problem(of: attribute, composites).map { problem, fix in
          RuleFinding(
            .property(entity: entity.name, name: attribute.name),
            "attribute \(entity.name).\(attribute.name) \(problem)", fix: fix)
        }
      }
    }
  }

  private static func problem(
    of attribute: AttributeDescription, _ composites: Set<String>
  ) -> (problem: String, fix: Advice?)? {
    switch attribute.type {
    case .unrecognized(let name):
      return (
        "has the unknown type “\(name)”",
        ModelIndex.suggestion(for: name, among: AttributeType.known.map(\.name))
      )
    case .undefined where !attribute.isTransient:
      return ("is stored, but has no type", "give it an attributeType or make it transient")
    case .composite where attribute.elements.isEmpty:
      guard let name = attribute.compositeName else {
        return ("is composite, but names no composite type", "name one with composite=“…”")
      }
      return composites.contains(name)
        ? ("has the composite type “\(name)”, which has no elements", "add attributes to <composite name=“\(name)”>")
        : ("has the unknown composite type “\(name)”", ModelIndex.suggestion(for: name, among: composites.sorted()))
    default: return nil
    }
  }
}
