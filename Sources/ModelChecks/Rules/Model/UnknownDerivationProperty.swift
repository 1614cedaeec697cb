import ModelDescription
import ModelFiles

extension Rule {
  static let unknownDerivationProperty = Rule(
    id: "unknown-derivation-property",
    severity: .error,
    purpose: "A derived attribute must use existing properties.",
    explanation: """
      Core Data computes a derived attribute with triggers that follow its key path from relationship to relationship. \
      If a property on the path does not exist, Core Data cannot compute the value. Correct the name in the derivation \
      expression. If you rename a property with `modelctl edit rename`, modelctl renames it there too.
      """
  ) { index in
    index.model.entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        guard let path = attribute.derivation.flatMap({ DerivationKeyPath($0.expression) }),
          let (name, holder) = index.firstMissing(of: path.propertyNames, from: entity)
        else { return nil }
        return RuleFinding(
          .property(entity: entity.name, name: attribute.name),
          "\(entity.name).\(attribute.name) is derived from “\(name)”, which \(holder.name) does not have",
          fix: ModelIndex.correction(
            of: name, among: index.propertyNames(of: holder).subtracting([attribute.name]).sorted(),
            else: "derive it from another property, or remove it"))
      }
    }
  }
}

extension ModelIndex {
  /// The first name on a key path that the entity at this point of the path does not have.
  ///
  /// A name that a sub-entity has is accepted, because its column is in the same table. The path is not followed beyond
  /// an attribute, whose elements may be named, and not to an unknown entity.
  fileprivate func firstMissing(
    of names: [String], from entity: EntityDescription
  ) -> (name: String, holder: EntityDescription)? {
    var holder = entity
    for name in names {
      if lacks(name, in: holder) { return hasPropertyBelow(holder, named: name) ? nil : (name, holder) }
      guard let destination = relationship(named: name, of: holder)?.relationship.destinationEntityName,
        let next = self.entity(named: destination)
      else { return nil }
      holder = next
    }
    return nil
  }

  private func hasPropertyBelow(_ entity: EntityDescription, named name: String) -> Bool {
    model.entities.contains { other in
      other.propertyNames.contains(name) && ancestors(of: other).contains { $0.name == entity.name }
    }
  }
}
