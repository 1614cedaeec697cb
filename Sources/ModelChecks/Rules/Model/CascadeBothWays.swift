import ModelDescription

extension Rule {
  static let cascadeBothWays = Rule(
    id: "cascade-both-ways",
    severity: .warning,
    purpose: "A to-many relationship and its inverse must not both have the delete rule Cascade.",
    explanation: """
      If both sides cascade, deleting an object deletes its linked objects, then everything linked to these objects, \
      and so on. A single deletion can empty both tables. Keep Cascade on the side that owns the objects, and set the \
      inverse to Nullify.
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
          element, "\(pair): deleting an object also deletes every object that is linked through it",
          fix: "set the delete rule Nullify on the side that does not own the objects",
          edits: (element == other ? [element] : [element, other]).map { ["set", "\($0)", "delete-rule=nullify"] })
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
