public import ModelDescription

extension ModelDifference {
  /// What looks renamed between two models, with the renaming identifier that would keep its data.
  ///
  /// Found in rounds, because the properties of a renamed entity can be found only when the entity is known. Elements
  /// that have an identifier are taken at their word.
  ///
  /// - Parameters:
  ///   - source: the older model.
  ///   - destination: the newer model.
  /// - Returns: the identifiers, by the elements of the newer model.
  /// - Throws: `ModelStructureError` when the entities of a model form no hierarchy.
  public static func likelyRenames(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(ModelStructureError) -> [ModelElement: String] {
    var model = destination
    var identifiers: [ModelElement: String] = [:]
    while true {
      var isNew = false
      for case .looksLikeRename(_, let element, let identifier) in try ModelDifference(from: source, to: model).hints
      where identifiers[element] == nil && model.identify(element, as: identifier) {
        identifiers[element] = identifier
        isNew = true
      }
      guard isNew else { return identifiers }
    }
  }
}

extension ManagedObjectModel {
  /// Gives an element without one a renaming identifier; false when there is no such element.
  fileprivate mutating func identify(_ element: ModelElement, as identifier: String) -> Bool {
    guard let entity = entities.firstIndex(where: { $0.name == element.entityName }) else { return false }
    guard case .property(_, let name) = element else {
      guard case .entity = element, entities[entity].renamingIdentifier == nil else { return false }
      entities[entity].renamingIdentifier = identifier
      return true
    }
    if let position = entities[entity].attributes.firstIndex(where: { $0.name == name }),
      entities[entity].attributes[position].renamingIdentifier == nil
    {
      entities[entity].attributes[position].renamingIdentifier = identifier
      return true
    }
    if let position = entities[entity].relationships.firstIndex(where: { $0.name == name }),
      entities[entity].relationships[position].renamingIdentifier == nil
    {
      entities[entity].relationships[position].renamingIdentifier = identifier
      return true
    }
    return false
  }
}
