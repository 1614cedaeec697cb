import ModelDescription

extension Rule {
  static let unknownParent = Rule(
    id: "unknown-parent",
    severity: .error,
    purpose: "The parent of every entity is an entity of the model."
  ) { index in
    index.model.entities.compactMap { entity in
      guard let parent = entity.superentityName, index.entity(named: parent) == nil else { return nil }
      return RuleIssue(
        .entity(entity.name), "the parent “\(parent)” of entity \(entity.name) is not in the model",
        fix: ModelIndex.suggestion(for: parent, among: index.entityNames.filter { $0 != entity.name }))
    }
  }
}
