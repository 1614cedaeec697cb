public import ModelDescription

/// The changes between two versions of a model.
///
/// Changes are in the order of the destination's entity numbers: the changes of an entity, then of its properties by
/// name. Removed entities and elements without an entity are last.
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
/// ### Changes
/// - ``changes``
/// - ``changes(ofEntity:)``
/// - ``hints``
///
/// ### Consequences
/// - ``isSameVersion``
/// - ``entitiesWithNewHash``
/// - ``entitiesWithoutHash``
public struct ModelDifference: Hashable, Sendable {
  /// All changes, including consequences.
  public let changes: [Change]
  /// The hints for developers.
  public let hints: [Hint]
  /// The names, sorted, of destination entities whose version hash differs from the source entity of the same name.
  public let entitiesWithNewHash: [String]
  /// The names, sorted, of source entities that are not in the destination.
  public let entitiesWithoutHash: [String]

  /// Compares two models.
  ///
  /// - Throws: `ModelStructureError` if the entities of a model do not form a hierarchy.
  public init(from source: ManagedObjectModel, to destination: ManagedObjectModel) throws(ModelStructureError) {
    self.init(from: try EntityHierarchy(source), to: try EntityHierarchy(destination))
  }

  /// True if both models are the same version, because all hashes are equal.
  public var isSameVersion: Bool { entitiesWithNewHash.isEmpty && entitiesWithoutHash.isEmpty }

  /// The changes of an entity and its parts, by its name in the destination, or in the source if it is removed.
  public func changes(ofEntity name: String) -> [Change] { changes.filter { $0.element.entityName == name } }

  /// The elements that look renamed between two models, with the renaming identifiers that would keep their data.
  ///
  /// The search has rounds, because the properties of a renamed entity can be found only when the entity is known. It
  /// skips elements that have a renaming identifier.
  ///
  /// - Returns: the identifiers, by the elements of the destination.
  /// - Throws: `ModelStructureError` if the entities of a model do not form a hierarchy.
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
  /// Adds a renaming identifier to an element without an identifier; returns false if there is no such element.
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
