public import ModelDescription

/// What changed between two versions of a model, known before anything acts on it.
///
/// Changes come in the order of the destination's entity numbers, an entity's own first and then its properties' by
/// name; entities that go and what belongs to no entity come last.
///
/// ```swift
/// let bundle = try ModelBundle(at: "Orders.xcdatamodeld")
/// let models = try bundle.versions.map { try $0.load().model }
/// let difference = try ModelDifference(from: models[0], to: models[1])
/// print(difference.isSameVersion, difference.changes.count)
/// ```
///
/// ## Topics
///
/// ### What changed
/// - ``changes``
/// - ``changes(ofEntity:)``
/// - ``hints``
///
/// ### What follows
/// - ``isSameVersion``
/// - ``entitiesWithNewHash``
/// - ``entitiesWithoutHash``
public struct ModelDifference: Hashable, Sendable {
  /// Every change, consequences included.
  public let changes: [Change]
  /// What a developer should look at.
  public let hints: [Hint]
  /// The destination entities, sorted, whose version hash no source entity of the same name has.
  public let entitiesWithNewHash: [String]
  /// The source entity names, sorted, that the destination lacks.
  public let entitiesWithoutHash: [String]

  /// Compares two models.
  ///
  /// - Throws: `ModelStructureError` when the entities of a model form no hierarchy.
  public init(from source: ManagedObjectModel, to destination: ManagedObjectModel) throws(ModelStructureError) {
    self.init(from: try EntityHierarchy(source), to: try EntityHierarchy(destination))
  }

  /// True when both models are the same version: every hash is equal.
  public var isSameVersion: Bool { entitiesWithNewHash.isEmpty && entitiesWithoutHash.isEmpty }

  /// The changes of an entity and of what belongs to it, by its name in the destination, or in the source if it goes.
  public func changes(ofEntity name: String) -> [Change] { changes.filter { $0.element.entityName == name } }

  /// What looks renamed between two models, with the renaming identifier that would keep its data.
  ///
  /// Found in rounds, because the properties of a renamed entity can be found only when the entity is known. Elements
  /// that have an identifier are taken at their word.
  ///
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
