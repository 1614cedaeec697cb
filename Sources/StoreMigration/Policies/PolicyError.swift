/// What a policy cannot be given.
public enum PolicyError: Error, Hashable, Sendable {
  /// The policy has no function of this name.
  case unknownSelector(String)
  /// The entity has no such property that is stored.
  case unknownProperty(entity: String, property: String)
  /// The model has no such entity that can have objects.
  case unknownEntity(String)
  /// There is no entity mapping of this name.
  case unknownMapping(String)
  /// The value is of another type than the attribute.
  case wrongType(entity: String, attribute: String)
  /// The object is of an entity that the relationship cannot hold.
  case wrongObject(entity: String, relationship: String, object: String)
  /// Objects can be made and linked until all are linked.
  case tooLate
  /// A value of the store cannot be read as one of its attribute's type.
  case unreadable(entity: String, property: String)
}

extension PolicyError: CustomStringConvertible {
  /// The cause in words.
  public var description: String {
    switch self {
    case .unknownSelector(let selector): "the policy has no function \(selector)"
    case .unknownProperty(let entity, let property): "\(entity) stores no property \(property)"
    case .unknownEntity(let entity): "the destination model has no entity \(entity) that can have objects"
    case .unknownMapping(let name): "there is no entity mapping \(name)"
    case .wrongType(let entity, let attribute): "\(entity).\(attribute) cannot have a value of this type"
    case .wrongObject(let entity, let relationship, let object): "\(entity).\(relationship) cannot hold a \(object)"
    case .tooLate: "objects can be made, changed and linked until endRelationshipCreation is called"
    case .unreadable(let entity, let property): "\(entity).\(property) holds a value that is none of its type"
    }
  }
}
