import ModelDescription

extension Rule {
  static let missingInverse = Rule(
    id: "missing-inverse",
    severity: .warning,
    purpose: "A to-one relationship has an inverse, so that deleting the object at the other end clears it.",
    explanation: """
      Core Data clears a relationship of a deleted object's neighbours by following the inverse. Without one the \
      relationship keeps pointing at a row that is gone, and faulting it throws. Add a relationship back and make \
      each the inverse of the other.
      """
  ) { index in
    index.relationshipsWithoutInverse { !$0.isToMany }.map { entity, relationship in
      RuleFinding(
        .property(entity: entity.name, name: relationship.name),
        "relationship \(entity.name).\(relationship.name) has no inverse; it keeps pointing at a deleted object",
        fix: "add a relationship to \(entity.name) in \(relationship.destinationEntityName ?? "its destination")",
        edits: index.additions(ofInverseTo: relationship, of: entity))
    }
  }
}
