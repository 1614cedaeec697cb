import ModelDescription

extension Rule {
  static let toManyWithoutInverse = Rule(
    id: "to-many-without-inverse",
    severity: .warning,
    purpose: "A to-many relationship has an inverse, which is where its links are kept in step.",
    explanation: """
      The rows of a to-many relationship are found by its inverse: a key in the table of the destination, or a join \
      table of both. Without an inverse Core Data makes up a key that nothing keeps in step, and objects are in one \
      set at most. Add a relationship back and make each the inverse of the other.
      """
  ) { index in
    index.relationshipsWithoutInverse(where: \.isToMany).map { entity, relationship in
      RuleFinding(
        .property(entity: entity.name, name: relationship.name),
        "to-many relationship \(entity.name).\(relationship.name) has no inverse; Core Data cannot keep it in step",
        fix: "add a relationship to \(entity.name) in \(relationship.destinationEntityName ?? "its destination")",
        edits: index.additions(ofInverseTo: relationship, of: entity))
    }
  }
}
