/// A mapping model that somebody wrote, with everything decided that its file leaves to rules.
///
/// Source: `NSMappingModel`; a compiled mapping model (`.cdm`) holds the same.
public struct CustomMappingModel: Hashable, Sendable {
  /// The entity mappings in the order they run.
  public var entityMappings: [CustomEntityMapping]
  /// What is done in place of policy classes that only an app has, by class name.
  public var policyStandIns: [String: PolicyStandIn]
  /// The names of source data the mapping states it gives up, as `Entity` or `Entity.property`.
  public var droppedData: Set<String>

  /// Makes a mapping model.
  public init(
    entityMappings: [CustomEntityMapping],
    policyStandIns: [String: PolicyStandIn] = [:],
    droppedData: Set<String> = []
  ) {
    self.entityMappings = entityMappings
    self.policyStandIns = policyStandIns
    self.droppedData = droppedData
  }

  /// The entity mapping of a name, which is unique in a sound model.
  public func entityMapping(named name: String) -> CustomEntityMapping? {
    entityMappings.first { $0.name == name }
  }
}
