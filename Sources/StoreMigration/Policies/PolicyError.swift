import MappingModels
public import ModelDescription
public import PersistentStores

/// An error of a call that a migration policy makes.
public enum PolicyError: Hashable, Sendable {
  /// The policy does not have a function of this name.
  case unknownSelector(String)
  /// The entity does not store a property of this name.
  case unknownProperty(entity: String, property: String)
  /// The model does not have an entity of this name that can have objects.
  case unknownEntity(String)
  /// An entity mapping of this name does not exist.
  case unknownMapping(String)
  /// The value is not of the attribute's type.
  case wrongType(entity: String, attribute: String)
  /// The relationship cannot hold objects of this entity.
  case wrongObject(entity: String, relationship: String, object: String)
  /// Objects cannot be created or linked after all relationships are set.
  case tooLate
  /// A value of the store is not of its attribute's type.
  case unreadable(entity: String, property: String)
}

extension PolicyError: AdvisedError {
  /// Nil: the cause names the element.
  public var place: String? { nil }
  /// Nil: the cause implies the remedy.
  public var advice: Advice? { nil }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .unknownSelector(let selector): CommonWords.unknown("function", selector, in: "the policy", near: [])
    case .unknownProperty(let entity, let property):
      CommonWords.unknown("stored property", property, in: entity, near: [])
    case .unknownEntity(let entity):
      CommonWords.unknown("concrete entity", entity, in: "the destination model", near: [])
    case .unknownMapping(let name): CommonWords.unknown("entity mapping", name, in: "the mapping model", near: [])
    case .wrongType(let entity, let attribute): "\(entity).\(attribute) cannot hold a value of this type"
    case .wrongObject(let entity, let relationship, let object): "\(entity).\(relationship) cannot hold a \(object)"
    case .tooLate: "objects cannot be created, changed or linked after endRelationshipCreation is called"
    case .unreadable(let entity, let property): "\(entity).\(property) holds a value that is not of its type"
    }
  }
}

/// The failure of a policy in a migration; the store is unchanged.
public struct PolicyRunError: Hashable, Sendable {
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
  /// The entity of the object that the policy worked on.
  public var entity: String?
  /// The `Z_PK` of that object.
  public var key: Int64?
  /// The error that the policy threw.
  public var error: CaughtError
}

extension PolicyRunError: AdvisedError {
  /// Nil: the cause names the policy and the object.
  public var place: String? { nil }
  /// Nil: the remedy is in the policy.
  public var advice: Advice? { nil }

  /// The policy, the object and the policy's own error.
  public var cause: String {
    let object = entity.map { entity in key.map { " of \(entity) with Z_PK \($0)" } ?? " of \(entity)" } ?? ""
    return """
      policy \(className) failed in \(hook.rawValue)\(object), entity mapping \(mapping) (\(CoreDataError.entityMigrationPolicy)): \
      \(error); the store is unchanged
      """
  }
}
