import ModelDescription

extension MappingFindingSearch {
  /// What the destination's properties get that no property mapping gives anything.
  mutating func findUnfilled(of entity: EntityMapping, destination name: String, filled: Set<String>) {
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
        addUnfilledRequired(path, of: name, entity)
      }
    }
    for (link, relationship) in destination.storedRelationships(of: name).sorted(by: { $0.key < $1.key }) {
      guard !filled.contains(link), !isFilledByInverse(relationship) else { continue }
      if relationship.isToMany || relationship.isOptional {
        add(.note, entity, property: link, .unfilled(link, of: name, gets: .noObjects))
      } else {
        addUnfilledRequired(link, of: name, entity)
      }
    }
  }

  /// What a policy class of the app fills is not known here.
  private mutating func addUnfilledRequired(_ property: String, of name: String, _ entity: EntityMapping) {
    guard !mayBeOverruled(entity) else { return }
    let severity: MappingFinding.Severity = isImplemented(entity.policyClassName) ? .warning : .error
    add(severity, entity, property: property, .unfilledRequired(property, of: name))
  }

  /// True when a mapping gives objects to the other end, which makes the same links.
  private func isFilledByInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = relationship.inverseName, let other = relationship.destinationEntityName else { return false }
    return destination.family(of: other).contains { filledRelationships[$0.name]?.contains(inverse) == true }
  }
}
