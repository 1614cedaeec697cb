import ModelDescription

extension Rule {
  static let missingInverse = Rule(
    id: "missing-inverse",
    severity: .warning,
    purpose: "A to-one relationship has an inverse, so that deleting the object at the other end clears it."
  ) { index in
    index.relationshipsWithoutInverse { !$0.isToMany }.map { entity, relationship in
      RuleIssue(
        .property(entity: entity.name, name: relationship.name),
        "relationship \(entity.name).\(relationship.name) has no inverse; it keeps pointing at a deleted object",
        fix: "add a relationship to \(entity.name) in \(relationship.destinationEntityName ?? "its destination")")
    }
  }
}
