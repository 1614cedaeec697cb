import ModelDescription

extension Rule {
  static let unknownParent = Rule(
    id: "unknown-parent",
    severity: .error,
    purpose: "The parent of every entity must be an entity of the model.",
    explanation: """
      A sub-entity gets its properties, its table and a part of its hash from its parent. If the parent does not \
      exist, Core Data refuses the model. Correct the name. To make the entity independent, remove its parent.
      """
  ) { index in
    index.model.entities.compactMap { entity in
      guard let parent = entity.superentityName, index.entity(named: parent) == nil else { return nil }
      return RuleFinding(
        .entity(entity.name), "the parent “\(parent)” of entity \(entity.name) is not in the model",
        fix: ModelIndex.correction(
          of: parent, among: index.entityNames.filter { $0 != entity.name }, else: "remove the parent"))
    }
  }
}
