import ModelDescription
import ModelFiles

extension Rule {
  static let indexWithoutColumn = Rule(
    id: "index-without-column",
    severity: .warning,
    purpose: "An index or uniqueness constraint must name properties that have a column.",
    explanation: """
      Core Data builds an index from columns of the entity's table. To-many relationships, transient properties, \
      fetched properties and complete composite attributes do not have a column. Your stores never get such an index, \
      and Core Data does not enforce such a constraint. Remove the index, which does not change any store, or keep \
      only the properties with a column.
      """
  ) { index in
    index.model.entities.flatMap { entity in
      entity.fetchIndexes.compactMap { fetchIndex -> RuleFinding? in
        let names = fetchIndex.elements.compactMap { element -> String? in
          if case .property(let name) = element.subject { name } else { nil }
        }
        return finding(
          .fetchIndex(entity: entity.name, name: fetchIndex.name), "index \(fetchIndex.name)", names, of: entity, index,
          edit: ["remove", "index", entity.name, fetchIndex.name])
      }
        + entity.compoundIndexes.enumerated().compactMap { position, names in
          finding(
            .compoundIndex(entity: entity.name, position: position), "a compound index", names, of: entity, index)
        }
        + entity.uniquenessConstraints.enumerated().compactMap { position, names in
          finding(
            .uniquenessConstraint(entity: entity.name, position: position), "a uniqueness constraint", names,
            of: entity, index, edit: ["remove", "constraint", entity.name] + names)
        }
    }
  }

  private static func finding(
    _ element: ModelElement, _ subject: String, _ names: [String], of entity: EntityDescription, _ index: ModelIndex,
    edit: [String]? = nil
  ) -> RuleFinding? {
    for name in names {
      guard let kind = index.kindWithoutColumn(of: name, in: entity) else { continue }
      return RuleFinding(
        element, "\(subject) of \(entity.name) names “\(name)”, \(kind) without a column, so stores do not get it",
        fix: "remove “\(name)” from it, or remove it", edits: edit.map { [$0] } ?? [])
    }
    return nil
  }
}

extension ModelIndex {
  /// The kind of a property without a column; nil for a property with a column, and for an unknown name.
  fileprivate func kindWithoutColumn(of name: String, in entity: EntityDescription) -> String? {
    for holder in [entity] + ancestors(of: entity) {
      if let attribute = holder.attributes.first(where: { $0.name == name }) {
        if attribute.isTransient { return "a transient attribute" }
        return attribute.type == .composite ? "a composite attribute" : nil
      }
      if let relationship = holder.relationships.first(where: { $0.name == name }) {
        if relationship.isTransient { return "a transient relationship" }
        return relationship.isToMany ? "a to-many relationship" : nil
      }
      if holder.fetchedProperties.contains(where: { $0.name == name }) { return "a fetched property" }
    }
    return nil
  }
}
