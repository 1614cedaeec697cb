import ModelDescription

extension Rule {
  static let unknownAttributeType = Rule(
    id: "unknown-attribute-type",
    severity: .error,
    purpose: "Every stored attribute must have a type that Core Data knows.",
    explanation: """
      The type decides the column and is part of the version hash. Core Data cannot load a model with an unknown type, \
      and a stored attribute needs a type. Choose a type that Xcode offers, or make the attribute transient.
      """
  ) { index in
    let composites = Set(index.model.composites.map(\.name))
    return index.model.entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        let element = ModelElement.property(entity: entity.name, name: attribute.name)
        return problem(of: attribute, element, composites).map { problem, fix, edits in
          RuleFinding(element, "attribute \(element) \(problem)", fix: fix, edits: edits)
        }
      }
    }
  }

  private static func problem(
    of attribute: AttributeDescription, _ element: ModelElement, _ composites: Set<String>
  ) -> (problem: String, fix: Advice?, edits: [[String]])? {
    switch attribute.type {
    case .unrecognized(let name):
      let known = AttributeType.known.map(\.name)
      // Three types begin with “Integer”, and it differs too much from each to count as misspelt.
      let near = (NearNames.close(to: name, among: known) + known.filter { $0.hasPrefix("\(name) ") }).prefix(3)
      return (
        "has the unknown type “\(name)”",
        Advice(
          near.isEmpty ? "give it a type that Xcode offers" : "give it the type \(near.joined(separator: " or "))"),
        near.map { ["retype", "\(element)", $0] }
      )
    case .undefined where !attribute.isTransient:
      return (
        "is stored but does not have a type", "give it an attributeType, or make it transient",
        [["retype", "\(element)", "TYPE"], ["set", "\(element)", "transient=yes"]]
      )
    case .composite where attribute.elements.isEmpty:
      guard let name = attribute.compositeName else {
        return ("is composite but does not name its type", "name the composite type with composite=“…”", [])
      }
      return composites.contains(name)
        ? (
          "has the composite type “\(name)”, which does not have elements",
          "add attributes to <composite name=“\(name)”>", []
        )
        : (
          "has the unknown composite type “\(name)”",
          ModelIndex.correction(of: name, among: composites.sorted(), else: "declare <composite name=“\(name)”>"), []
        )
    default: return nil
    }
  }
}
