import ModelKit

extension CommandError {
  /// Refuses names of entities and properties that no model has, with those that are near.
  static func unknownNames(_ names: [String], option: String, among models: [EntityHierarchy]) -> CommandError {
    let near = names.prefix(3).compactMap { name in
      NearNames.close(to: name, among: models.flatMap { $0.elementNames(like: name) }).first
    }
    return .unknownNames(option: option, names: names, near: near)
  }
}

extension EntityHierarchy {
  /// The names that one may have been meant as: the entity's properties where there is such an entity, else the entities,
  /// with the property of a name that has one.
  func elementNames(like name: String) -> [String] {
    let entity = String(name.prefix { $0 != "." })
    guard name != entity else { return model.entities.map(\.name) }
    guard self.entity(named: entity) != nil else {
      let property = name.dropFirst(entity.count)
      return model.entities.map { $0.name + property }.filter(hasElement)
    }
    let properties = Array(allAttributes(of: entity).keys) + Array(allRelationships(of: entity).keys)
    return properties.sorted().map { "\(entity).\($0)" }
  }
}
