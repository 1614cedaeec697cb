/// The address of one thing in a model, for findings, differences and consent.
public enum ModelElement: Hashable, Sendable {
  case model
  case entity(String)
  case property(entity: String, name: String)
  case fetchIndex(entity: String, name: String)
  /// A compound index of the older form, by its position in the entity.
  case compoundIndex(entity: String, position: Int)
  /// A uniqueness constraint, by its position in the entity.
  case uniquenessConstraint(entity: String, position: Int)
  case composite(String)
  case configuration(String)
  case fetchRequest(String)
}

extension ModelElement: CustomStringConvertible {
  /// The address as people write it, such as `Order.note`.
  public var description: String {
    switch self {
    case .model: "model"
    case .entity(let name): name
    case .property(let entity, let name): "\(entity).\(name)"
    case .fetchIndex(let entity, let name): "\(entity) index \(name)"
    case .compoundIndex(let entity, let position): "\(entity) compound index \(position + 1)"
    case .uniquenessConstraint(let entity, let position): "\(entity) uniqueness constraint \(position + 1)"
    case .composite(let name): "composite \(name)"
    case .configuration(let name): "configuration \(name)"
    case .fetchRequest(let name): "fetch request \(name)"
    }
  }
}

/// What an entity, attribute or relationship of a version continues of the version before.
public enum ElementOrigin: Hashable, Sendable {
  /// Nothing: the version before does not have it.
  case added
  /// What the version before knows by this name: the renaming identifier there, else the name.
  case continues(canonicalName: String)
}
