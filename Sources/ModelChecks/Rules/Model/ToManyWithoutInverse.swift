import ModelDescription

extension Rule {
  static let toManyWithoutInverse = Rule(
    id: "to-many-without-inverse",
    severity: .warning,
    purpose: "A to-many relationship must have an inverse, because Core Data stores its links there.",
    explanation: """
      Core Data finds the rows of a to-many relationship by its inverse: a key in the destination's table, or a join \
      table. Without an inverse, Core Data adds a key that it does not keep consistent. Each object can then be in \
      only one set. Add a relationship back, and make each relationship the inverse of the other.
      """
  ) { index in
    index.relationshipsWithoutInverse(where: \.isToMany).map { entity, relationship in
      RuleFinding(
        .property(entity: entity.name, name: relationship.name),
        "to-many relationship \(entity.name).\(relationship.name) does not have an inverse, so Core Data cannot keep it up to date",
        fix: "add a relationship to \(entity.name) in \(relationship.destinationEntityName ?? "its destination")",
        edits: index.additions(ofInverseTo: relationship, of: entity))
    }
  }
}
