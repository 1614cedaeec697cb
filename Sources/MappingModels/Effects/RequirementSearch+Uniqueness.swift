import ModelDescription

extension RequirementSearch {
  /// The constraints of an entity that its rows, or those of its sub-entities, did not already meet.
  func uniquenessRequirements(of entity: EntityDescription) -> [MappingRequirement] {
    entity.uniquenessConstraints.compactMap { constraint in
      guard !constraint.isEmpty else { return nil }
      let members = destination.family(of: entity.name).compactMap { mappingsByDestination[$0.name] }
        .filter { $0.source != nil }
      guard !members.isEmpty, !isMet(constraint, of: entity.name, by: members) else { return nil }
      return .unique(entity: entity.name, properties: constraint)
    }
  }

  private func isMet(_ constraint: [String], of entity: String, by members: [EntityMapping]) -> Bool {
    guard let sourceName = mappingsByDestination[entity]?.source,
      let sourceConstraints = source.entity(named: sourceName)?.uniquenessConstraints
    else { return false }
    for member in members {
      guard let memberSource = member.source, source.isEntity(memberSource, kindOf: sourceName) else { return false }
      var sourceNames: Set<String> = []
      for property in constraint {
        guard let name = member.unchangedSource(of: property) else { return false }
        sourceNames.insert(name)
      }
      guard sourceConstraints.contains(where: { Set($0) == sourceNames }) else { return false }
    }
    return true
  }
}

extension EntityMapping {
  /// The source property whose values a property keeps exactly, nil when there is none.
  fileprivate func unchangedSource(of property: String) -> String? {
    if let relationship = relationship(property) { return relationship.source }
    guard let attribute = attribute(property), attribute.steps.isEmpty, case .source(let path) = attribute.origin
    else { return nil }
    return path
  }
}
