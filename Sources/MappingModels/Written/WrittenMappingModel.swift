/// A mapping model as somebody writes it by hand: it says what inference does not, and leaves the rest to it.
public struct WrittenMappingModel: Hashable, Sendable {
  /// A place in a written mapping model.
  public enum Place: Hashable, Sendable {
    case model
    /// The text of a `drop`, by the name in it.
    case drop(String)
    /// A stand-in for a policy, by its class.
    case policy(String)
    /// An entity mapping, by its position.
    case entityMapping(Int)
    /// An attribute of an entity mapping, by their positions.
    case attribute(Int, of: Int)
    /// A relationship of an entity mapping, by their positions.
    case relationship(Int, of: Int)
  }

  /// The entity mappings in the order they run.
  public var entityMappings: [WrittenEntityMapping]
  /// True when entities that no entity mapping mentions are mapped as inference maps them.
  public var infersUnmentioned: Bool
  /// What is done in place of policy classes that only an app has, by class name.
  public var policyStandIns: [String: PolicyStandIn]
  /// The names of source data that is given up, as `Entity` or `Entity.property`.
  public var droppedData: Set<String>

  /// Makes a written mapping model.
  public init(
    entityMappings: [WrittenEntityMapping] = [],
    infersUnmentioned: Bool = true,
    policyStandIns: [String: PolicyStandIn] = [:],
    droppedData: Set<String> = []
  ) {
    self.entityMappings = entityMappings
    self.infersUnmentioned = infersUnmentioned
    self.policyStandIns = policyStandIns
    self.droppedData = droppedData
  }
}
