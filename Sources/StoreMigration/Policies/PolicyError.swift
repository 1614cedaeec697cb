import MappingModels
public import PersistentStores

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

/// Where a policy failed, and why; the store is as it was.
public struct PolicyRunError: Error, Hashable, Sendable {
  /// The hooks of a policy.
  public enum Hook: String, Hashable, Sendable, CaseIterable {
    case begin
    case createDestinationInstances
    case endInstanceCreation
    case createRelationships
    case endRelationshipCreation
    case performCustomValidation
    case end
  }

  /// The policy's class.
  public var className: String
  /// The entity mapping.
  public var mapping: String
  /// The hook that failed.
  public var hook: Hook
  /// The entity of the object it was about.
  public var entity: String?
  /// That object's `Z_PK`.
  public var key: Int64?
  /// What the policy threw.
  public var cause: CaughtError
}

extension PolicyRunError: CustomStringConvertible {
  /// The place and the cause.
  public var description: String {
    let object = entity.map { entity in key.map { " of \(entity) with Z_PK \($0)" } ?? " of \(entity)" } ?? ""
    return """
      policy \(className) failed in \(hook.rawValue)\(object), entity mapping \(mapping) (\(CoreDataError.entityMigrationPolicy)): \
      \(cause); the store is as it was
      """
  }
}
