public import ModelDescription

extension EntityPairing {
  /// What an entity, attribute or relationship of the destination continues of the source.
  ///
  /// - Parameter element: the element, by its name in the destination.
  /// - Returns: the origin; nil for an element that the destination does not have or that has no identity, such as an
  ///   index, and for a property of an entity that continues none.
  public func origin(of element: ModelElement) -> ElementOrigin? {
    switch element {
    case .entity(let name):
      guard destination.entity(named: name) != nil else { return nil }
      return origin(self.source(ofDestination: name).flatMap(source.entity).map { ($0.name, $0.renamingIdentifier) })
    case .property(let entity, let name):
      guard let owner = destination.entity(named: entity), let former = self.source(ofDestination: entity)
      else { return nil }
      if owner.attributes.contains(where: { $0.name == name }) {
        let property = attributes(ofDestination: entity).sourceNames[name].flatMap {
          source.allAttributes(of: former)[$0]?.property
        }
        return origin(property.map { ($0.name, $0.renamingIdentifier) })
      }
      guard owner.relationships.contains(where: { $0.name == name }) else { return nil }
      let property = relationships(ofDestination: entity).sourceNames[name].flatMap {
        source.allRelationships(of: former)[$0]?.property
      }
      return origin(property.map { ($0.name, $0.renamingIdentifier) })
    default: return nil
    }
  }

  private func origin(_ former: (name: String, identifier: String?)?) -> ElementOrigin {
    guard let former else { return .added }
    return .continues(
      canonicalName: RenamingIdentifier.meaning(of: former.identifier, of: former.name) ?? former.name)
  }
}
