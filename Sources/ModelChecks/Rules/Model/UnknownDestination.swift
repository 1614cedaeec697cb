import ModelDescription

extension Rule {
  static let unknownDestination = Rule(
    id: "unknown-destination",
    severity: .error,
    purpose: "The destination of every relationship must be an entity of the model.",
    explanation: """
      If the destination does not exist, Core Data refuses the model. Usually you renamed or deleted the entity and \
      forgot the relationship. Correct the destination, or remove the relationship.
      """
  ) { index in
    index.model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship in
        let element = ModelElement.property(entity: entity.name, name: relationship.name)
        let address = "\(entity.name).\(relationship.name)"
        guard let destination = relationship.destinationEntityName else {
          return RuleFinding(
            element, "relationship \(address) does not have a destination",
            fix: "add destinationEntity=“…”, or remove the relationship", edits: [["remove", "\(element)"]])
        }
        guard index.entity(named: destination) == nil else { return nil }
        let isNear = !NearNames.close(to: destination, among: index.entityNames).isEmpty
        return RuleFinding(
          element, "the destination “\(destination)” of relationship \(address) is not in the model",
          fix: ModelIndex.correction(of: destination, among: index.entityNames, else: "remove the relationship"),
          edits: isNear ? [] : [["remove", "\(element)"]])
      }
    }
  }
}
