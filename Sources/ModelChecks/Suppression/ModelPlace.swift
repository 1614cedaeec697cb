import ModelDescription

/// An element of the model in a file.
struct ModelPlace: Hashable, Sendable {
  /// The path of the version's file.
  let path: String
  let element: ModelElement

  /// The place itself, then the entity that holds it.
  var withHolder: [ModelPlace] {
    switch element {
    case .property(let entity, _), .fetchIndex(let entity, _), .compoundIndex(let entity, _),
      .uniquenessConstraint(let entity, _):
      [self, ModelPlace(path: path, element: .entity(entity))]
    default: [self]
    }
  }
}
