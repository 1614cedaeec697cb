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
/// print(difference.isSameVersion, difference.notInferable.isEmpty)
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
/// - ``notInferable``
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
  /// - Parameters:
  ///   - source: the older version.
  ///   - destination: the newer version.
  /// - Throws: `ModelStructureError` when the entities of a model form no hierarchy.
  public init(from source: ManagedObjectModel, to destination: ManagedObjectModel) throws(ModelStructureError) {
    self.init(from: try EntityHierarchy(source), to: try EntityHierarchy(destination))
  }

  /// True when both models are the same version: every hash is equal.
  public var isSameVersion: Bool { entitiesWithNewHash.isEmpty && entitiesWithoutHash.isEmpty }

  /// The changes that inference refuses.
  public var notInferable: [Change] {
    changes.filter { change in
      if case .notInferable = change.inferability { true } else { false }
    }
  }

  /// The changes of an entity and of what belongs to it, by its name in the destination, or in the source if it goes.
  public func changes(ofEntity name: String) -> [Change] {
    changes.filter { $0.element.entityName == name }
  }
}
