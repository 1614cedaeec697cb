import ModelDescription

extension Rule {
  static let cascadeBothWays = Rule(
    id: "cascade-both-ways",
    severity: .warning,
    purpose: "A to-many relationship and its inverse do not both cascade.",
    explanation: """
      With the delete rule Cascade on both sides, deleting one object deletes those it is linked to, those delete all \
      they are linked to, and so on: one deleted row can empty both tables. Most often one side owns the other. Keep \
      Cascade on the side of the owner, and let the other side nullify.
      """
  ) { index in
    var reported: Set<ModelElement> = []
    return index.model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> RuleFinding? in
        guard relationship.deleteRule == .cascade, let inverse = inverse(of: relationship, index),
          inverse.relationship.deleteRule == .cascade, relationship.isToMany || inverse.relationship.isToMany
        else { return nil }
        let element = ModelElement.property(entity: entity.name, name: relationship.name)
        let other = ModelElement.property(entity: inverse.entity.name, name: inverse.relationship.name)
        guard !reported.contains(other) else { return nil }
        reported.insert(element)
        let pair =
          element == other
          ? "\(element) is its own inverse and cascades" : "\(element) and its inverse \(other) both cascade"
        return RuleFinding(
          element, "\(pair): deleting one object deletes everything that is linked through it",
          fix: "let the side that does not own the other nullify",
          edits: (element == other ? [element] : [element, other]).map { "set \($0.word) delete-rule=nullify" })
      }
    }
  }

  private static func inverse(
    of relationship: RelationshipDescription, _ index: ModelIndex
  ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
    guard let name = relationship.inverseName,
      let destination = relationship.destinationEntityName.flatMap(index.entity(named:))
    else { return nil }
    return index.relationship(named: name, of: destination)
  }
}
