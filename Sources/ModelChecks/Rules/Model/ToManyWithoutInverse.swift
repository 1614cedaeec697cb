import ModelDescription

extension Rule {
  static let toManyWithoutInverse = Rule(
    id: "to-many-without-inverse",
    severity: .warning,
    purpose: "A to-many relationship has an inverse, which is where its links are kept in step."
  ) { index in
    index.relationshipsWithoutInverse(where: \.isToMany).map { entity, relationship in
      RuleIssue(
        .property(entity: entity.name, name: relationship.name),
        "to-many relationship \(entity.name).\(relationship.name) has no inverse; Core Data cannot keep it in step",
        fix: "add a relationship to \(entity.name) in \(relationship.destinationEntityName ?? "its destination")")
    }
  }
}
