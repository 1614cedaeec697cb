public import MappingModels
public import ModelDescription

/// Creates the objects of an entity mapping in code, row by row, like `NSEntityMigrationPolicy` in Core Data.
///
/// There is one policy for each entity mapping. Every hook has a default that follows the mapping. A policy that creates
/// only some objects itself calls the manager for the others. If a hook throws an error, the store is unchanged.
///
/// Source: `NSEntityMigrationPolicy`.
public protocol EntityMigrationPolicy: AnyObject {
  /// Called before the first source object is read.
  func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws

  /// Makes the destination objects of one source object: one, several, or none, which leaves the source object behind.
  ///
  /// Only objects that are associated with the source object are found by expressions.
  func createDestinationInstances(
    forSource source: SourceObject, in mapping: EntityMapping, manager: MigrationManager) throws

  /// Called when the objects of the mapping are made.
  func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws

  /// Links one destination object, when the objects of all mappings are made.
  func createRelationships(
    forDestination destination: DestinationObject, in mapping: EntityMapping, manager: MigrationManager) throws

  /// Called when the objects of all mappings are linked.
  func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws

  /// Checks the result; an error stops the migration.
  func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws

  /// Called last.
  func end(_ mapping: EntityMapping, manager: MigrationManager) throws

  /// Answers `FUNCTION($entityPolicy, "selector", …)` in the value of an attribute or in a filter.
  func value(
    forSelector selector: String, arguments: [PolicyArgument], manager: MigrationManager
  ) throws -> AttributeValue?

  /// Answers `FUNCTION($entityPolicy, "selector", …)` as the value of a relationship of a single source object.
  func destinationInstances(
    forSelector selector: String, source: SourceObject, manager: MigrationManager
  ) throws -> [DestinationObject]
}

extension EntityMigrationPolicy {
  /// Does nothing.
  public func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

  /// Creates the object that the mapping's expressions describe.
  public func createDestinationInstances(
    forSource source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.createDefaultDestinationInstance(forSource: source, in: mapping)
  }

  /// Does nothing.
  public func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Links the object by the mapping's expressions.
  public func createRelationships(
    forDestination destination: DestinationObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.createDefaultRelationships(forDestination: destination, in: mapping)
  }

  /// Does nothing.
  public func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Finds nothing wrong.
  public func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Does nothing.
  public func end(_ mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Knows no function.
  public func value(
    forSelector selector: String, arguments: [PolicyArgument], manager: MigrationManager
  ) throws -> AttributeValue? {
    throw PolicyError.unknownSelector(selector)
  }

  /// Knows no function.
  public func destinationInstances(
    forSelector selector: String, source: SourceObject, manager: MigrationManager
  ) throws -> [DestinationObject] {
    throw PolicyError.unknownSelector(selector)
  }
}

/// An object of the destination, as a policy sees it; it is read and changed through the ``MigrationManager``.
public struct DestinationObject: Hashable, Sendable {
  /// Its entity.
  public let entity: String
  /// Its key, `Z_PK`.
  public let key: Int64

  /// Names an object.
  public init(entity: String, key: Int64) { (self.entity, self.key) = (entity, key) }
}

/// An object of the source store, as a policy sees it; its values are read through the ``MigrationManager``.
public struct SourceObject: Hashable, Sendable {
  /// Its entity.
  public let entity: String
  /// Its key, `Z_PK`.
  public let key: Int64

  /// Names an object.
  public init(entity: String, key: Int64) { (self.entity, self.key) = (entity, key) }
}
