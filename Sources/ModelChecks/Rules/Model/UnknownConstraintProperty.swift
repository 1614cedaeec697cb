import ModelDescription

extension Rule {
  static let unknownConstraintProperty = Rule(
    id: "unknown-constraint-property",
    severity: .error,
    purpose: "A uniqueness constraint must name properties of its entity.",
    explanation: """
      A uniqueness constraint becomes a unique index on the columns of its properties. If the entity does not have the \
      property, Core Data refuses to open your store. Correct the name, or remove it from the constraint.
      """
  ) { index in
    index.model.entities.flatMap { entity in
      entity.uniquenessConstraints.enumerated().flatMap { position, constraint in
        constraint.filter { index.lacks($0.firstKey, in: entity) }.map { name in
          RuleFinding(
            .uniquenessConstraint(entity: entity.name, position: position),
            "a uniqueness constraint of \(entity.name) names the property “\(name)”, which the entity does not have",
            fix: ModelIndex.correction(
              of: name, among: index.propertyNames(of: entity).sorted(), else: "remove “\(name)” from the constraint"))
        }
      }
    }
  }
}

extension String {
  /// The part of a key path before its first dot.
  var firstKey: String { String(prefix { $0 != "." }) }
}
