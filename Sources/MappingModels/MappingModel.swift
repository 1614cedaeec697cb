/// How the objects of one model version become those of another, one mapping an entity.
public struct MappingModel: Hashable, Sendable {
  /// One mapping for every destination entity, then one for every source entity that goes.
  public var entityMappings: [EntityMapping]

  /// Makes a mapping model.
  public init(entityMappings: [EntityMapping]) {
    self.entityMappings = entityMappings
  }

  /// The mapping that makes the objects of a destination entity.
  public func mapping(toDestination name: String) -> EntityMapping? {
    entityMappings.first { $0.destination == name }
  }

  /// The mappings that read the objects of a source entity.
  public func mappings(fromSource name: String) -> [EntityMapping] {
    entityMappings.filter { $0.source == name }
  }
}
