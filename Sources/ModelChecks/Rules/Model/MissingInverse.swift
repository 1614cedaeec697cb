import ModelDescription

extension Rule {
  static let missingInverse = Rule(
    id: "missing-inverse",
    severity: .warning,
    purpose: "A to-one relationship must have an inverse, so that Core Data can clear it.",
    explanation: """
      If you delete an object, Core Data follows the inverse to clear the relationships that point to it. Without an \
      inverse, the relationship keeps pointing to the deleted row, and faulting the object throws an exception. Add a \
      relationship back, and make each relationship the inverse of the other.
      """
  ) { index in
    index.relationshipsWithoutInverse { !$0.isToMany }.map { entity, relationship in
      RuleFinding(
        .property(entity: entity.name, name: relationship.name),
        "relationship \(entity.name).\(relationship.name) does not have an inverse, so it keeps pointing to deleted objects",
        fix: "add a relationship to \(entity.name) in \(relationship.destinationEntityName ?? "its destination")",
        edits: index.additions(ofInverseTo: relationship, of: entity))
    }
  }
}
