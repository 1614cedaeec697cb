import MappingModels
public import PersistentStores

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
