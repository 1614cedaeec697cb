import ModelDescription

extension Rule {
  static let oneSidedInverse = Rule(
    id: "one-sided-inverse",
    severity: .error,
    purpose: "Two inverse relationships must name each other.",
    explanation: """
      If only one side names the other, or the sides disagree, Core Data refuses the model or keeps only one side. \
      Make both relationships name each other, and check their destinations.
      """
  ) { index in
    index.model.entities.flatMap { entity in
      entity.relationships.compactMap { finding(of: $0, in: entity, index) }
    }
  }

  private static func finding(
    of relationship: RelationshipDescription, in entity: EntityDescription, _ index: ModelIndex
  ) -> RuleFinding? {
    guard let inverseName = relationship.inverseName, let destinationName = relationship.destinationEntityName,
      let destination = index.entity(named: destinationName)
    else { return nil }
    let element = ModelElement.property(entity: entity.name, name: relationship.name)
    let address = "\(entity.name).\(relationship.name)"
    guard let inverse = index.relationship(named: inverseName, of: destination) else {
      return RuleFinding(
        element, "the inverse “\(inverseName)” of \(address) is not a relationship of \(destinationName)",
        fix: ModelIndex.correction(
          of: inverseName, among: destination.relationships.map(\.name),
          else: "add “\(inverseName)” to \(destinationName), or remove the inverse"))
    }
    let inverseAddress = "\(inverse.entity.name).\(inverseName)"
    guard inverse.relationship.inverseName == relationship.name else {
      let named = inverse.relationship.inverseName.map { "names “\($0)”" } ?? "does not name an inverse"
      return RuleFinding(
        element, "the inverse \(inverseAddress) of \(address) does not point back: it \(named)",
        fix: "make “\(relationship.name)” the inverse of \(inverseAddress)")
    }
    if let back = inverse.relationship.destinationEntityName, !index.areRelated(back, entity.name) {
      return RuleFinding(
        element, "the inverse \(inverseAddress) of \(address) points to \(back), not to \(entity.name)",
        fix: "make \(entity.name) the destination of \(inverseAddress)")
    }
    return nil
  }
}
