extension EntityHierarchy {
  /// True for `Entity`, `Entity.property` and `Entity.attribute.element`, inherited ones included.
  package func hasElement(named name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let entity = parts.first, self.entity(named: entity) != nil else { return false }
    guard parts.count > 1 else { return true }
    if parts.count == 2, allRelationships(of: entity)[parts[1]] != nil { return true }
    let attribute = allAttributes(of: entity)[parts[1]]?.property
    return attribute.map { parts.count == 2 || $0.leaves.contains { $0.path == Array(parts.dropFirst()) } } ?? false
  }

  /// The names that one may have been meant as: the entity's properties and their elements where there is such an
  /// entity, else the entities, with the property of a name that has one.
  package func elementNames(like name: String) -> [String] {
    let entity = String(name.prefix { $0 != "." })
    guard name != entity else { return model.entities.map(\.name) }
    guard self.entity(named: entity) != nil else {
      let property = name.dropFirst(entity.count)
      return model.entities.map { $0.name + property }.filter(hasElement)
    }
    let attributes = allAttributes(of: entity).values.map(\.property)
    let elements = attributes.filter { $0.type == .composite }.flatMap(\.leaves).map { $0.path.joined(separator: ".") }
    let properties = attributes.map(\.name) + elements + Array(allRelationships(of: entity).keys)
    return properties.sorted().map { "\(entity).\($0)" }
  }
}
