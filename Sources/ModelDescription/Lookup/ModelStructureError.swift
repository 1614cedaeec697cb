/// The reason why the entities of a model do not form a hierarchy.
public enum ModelStructureError: Error, Hashable, Sendable {
  case duplicateEntity(name: String)
  /// Two properties of an entity, of any kind, have this name.
  case duplicateProperty(entity: String, name: String)
  case unknownSuperentity(entity: String, superentity: String)
  /// The entities of the cycle in the order of inheritance.
  case inheritanceCycle(entities: [String])
  /// Composite types contain each other; the names are in order, with the first name again at the end.
  case compositeCycle(composites: [String])
  /// Composite types are nested so deep, or used so often, that their elements exceed the limit.
  case compositesTooLarge(limit: Int)
  case unrecognizedAttributeType(entity: String, attribute: String, type: String)

  /// The element that the error is about.
  public var element: ModelElement {
    switch self {
    case .duplicateEntity(let name): .entity(name)
    case .duplicateProperty(let entity, let name): .property(entity: entity, name: name)
    case .unknownSuperentity(let entity, _): .entity(entity)
    case .inheritanceCycle(let entities): .entity(entities.first ?? "")
    case .compositeCycle(let composites): .composite(composites.last ?? "")
    case .compositesTooLarge: .model
    case .unrecognizedAttributeType(let entity, let attribute, _): .property(entity: entity, name: attribute)
    }
  }
}

extension ModelStructureError: CustomStringConvertible {
  /// The cause as a sentence.
  public var description: String {
    switch self {
    case .duplicateEntity(let name): "the model has two entities named \(name)"
    case .duplicateProperty(let entity, let name): "entity \(entity) has two properties named \(name)"
    case .unknownSuperentity(let entity, let superentity):
      "the parent \(superentity) of entity \(entity) is not in the model"
    case .inheritanceCycle(let entities):
      "entities inherit from each other in a cycle: \((entities + entities.prefix(1)).joined(separator: " → "))"
    case .compositeCycle(let composites):
      "composite types contain each other in a cycle: \(composites.joined(separator: " → "))"
    case .compositesTooLarge(let limit): "the composite types of the model exceed the limit of \(limit)"
    case .unrecognizedAttributeType(let entity, let attribute, let type):
      "attribute \(entity).\(attribute) has the unknown type “\(type)”"
    }
  }
}
