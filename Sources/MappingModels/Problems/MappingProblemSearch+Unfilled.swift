import ModelDescription

extension MappingProblemSearch {
  /// What the destination's properties get that no property mapping gives anything.
  mutating func findUnfilled(of entity: CustomEntityMapping, destination name: String, filled: Set<String>) {
    let standIn = standIn(of: entity)
    for (path, attribute) in destination.storedAttributes(of: name).sorted(by: { $0.key < $1.key }) {
      guard attribute.derivation == nil, !filled.contains(path), !filled.contains(attribute.attribute.name),
        standIn?.attributes[path] == nil
      else { continue }
      if let value = attribute.defaultValue {
        add(.note, entity, property: path, .unfilled(path, of: name, gets: .defaultValue(value)))
      } else if attribute.isOptional {
        add(.note, entity, property: path, .unfilled(path, of: name, gets: .noValue))
      } else {
        add(severityOfUnfilled(entity), entity, property: path, .unfilledRequired(path, of: name))
      }
    }
    for (link, relationship) in destination.storedRelationships(of: name).sorted(by: { $0.key < $1.key }) {
      guard !filled.contains(link), !isFilledByInverse(relationship) else { continue }
      if relationship.isToMany || relationship.isOptional {
        add(.note, entity, property: link, .unfilled(link, of: name, gets: .noObjects))
      } else {
        add(severityOfUnfilled(entity), entity, property: link, .unfilledRequired(link, of: name))
      }
    }
  }

  /// A policy in code may fill what no expression does.
  private func severityOfUnfilled(_ entity: CustomEntityMapping) -> MappingProblem.Severity {
    isImplemented(entity.policyClassName) ? .warning : .error
  }

  /// True when a mapping gives objects to the other end, which makes the same links.
  private func isFilledByInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = relationship.inverseName, let other = relationship.destinationEntityName else { return false }
    return mapping.entityMappings.contains { entity in
      guard let name = entity.destination, destination.isEntity(name, kindOf: other) else { return false }
      return entity.relationshipMappings.contains { $0.name == inverse && $0.value != .unset }
    }
  }
}
