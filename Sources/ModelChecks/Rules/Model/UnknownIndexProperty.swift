import ModelDescription

extension Rule {
  static let unknownIndexProperty = Rule(
    id: "unknown-index-property",
    severity: .error,
    purpose: "An index must name properties of its entity.",
    explanation: """
      Core Data builds an index from columns of the entity. If the entity does not have the property, Core Data \
      refuses to open your store. Correct the name, or remove the element from the index.
      """
  ) { index in
    index.model.entities.flatMap { entity in
      let fetchIndexes = entity.fetchIndexes.flatMap { fetchIndex in
        fetchIndex.elements.compactMap { element -> RuleFinding? in
          // An index may also be over the object itself or its entity.
          guard case .property(let name) = element.subject, !["self", "entity"].contains(name),
            index.lacks(name.firstKey, in: entity)
          else { return nil }
          return RuleFinding(
            .fetchIndex(entity: entity.name, name: fetchIndex.name),
            "index \(fetchIndex.name) of \(entity.name) names the property “\(name)”, which the entity does not have",
            fix: correction(of: name, in: entity, index),
            edits: fetchIndex.elements.count == 1 && !hasNear(name, in: entity, index)
              ? [["remove", "index", entity.name, fetchIndex.name]] : [])
        }
      }
      let compoundIndexes = entity.compoundIndexes.enumerated().flatMap { position, members in
        members.filter { index.lacks($0.firstKey, in: entity) }.map { name in
          RuleFinding(
            .compoundIndex(entity: entity.name, position: position),
            "a compound index of \(entity.name) names the property “\(name)”, which the entity does not have",
            fix: correction(of: name, in: entity, index))
        }
      }
      return fetchIndexes + compoundIndexes
    }
  }

  private static func hasNear(_ name: String, in entity: EntityDescription, _ index: ModelIndex) -> Bool {
    !NearNames.close(to: name, among: Array(index.propertyNames(of: entity))).isEmpty
  }

  private static func correction(of name: String, in entity: EntityDescription, _ index: ModelIndex) -> Advice {
    ModelIndex.correction(
      of: name, among: index.propertyNames(of: entity).sorted(), else: "remove “\(name)” from the index")
  }
}
