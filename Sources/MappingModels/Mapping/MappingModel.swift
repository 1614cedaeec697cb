/// How the objects of one model version become those of another.
///
/// Inference makes one of two models, and a file holds one that somebody wrote, with everything decided that the file
/// leaves to rules. Source: `NSMappingModel`.
public struct MappingModel: Hashable, Sendable {
  /// The entity mappings in the order they run.
  ///
  /// An inferred mapping model has one for every destination entity, then one for every source entity that goes.
  public var entityMappings: [EntityMapping]
  /// True when inference made the mapping model: the objects stay what they are, so a store can be migrated in place.
  public var isInferred: Bool
  /// What is done in place of policy classes that only an app has, by class name.
  public var policyStandIns: [String: PolicyStandIn]
  /// The names of source data the mapping states it gives up, as `Entity` or `Entity.property`.
  public var droppedData: Set<String>

  /// Makes a mapping model.
  public init(
    entityMappings: [EntityMapping],
    isInferred: Bool = false,
    policyStandIns: [String: PolicyStandIn] = [:],
    droppedData: Set<String> = []
  ) {
    self.entityMappings = entityMappings
    self.isInferred = isInferred
    self.policyStandIns = policyStandIns
    self.droppedData = droppedData
  }

  /// True when the mapping states that it gives up source data that has one of several names.
  public func drops(_ names: [String]) -> Bool { names.contains(where: droppedData.contains) }

  /// The entity mapping of a name, which is unique in a sound model.
  public func entityMapping(named name: String) -> EntityMapping? {
    entityMappings.first { $0.name == name }
  }

  /// The first mapping that makes the objects of a destination entity.
  public func mapping(toDestination name: String) -> EntityMapping? {
    entityMappings.first { $0.destination == name }
  }

  /// The mappings that read the objects of a source entity.
  public func mappings(fromSource name: String) -> [EntityMapping] {
    entityMappings.filter { $0.source == name }
  }
}
