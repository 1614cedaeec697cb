/// How the objects of one entity come about, or where they go.
///
/// Without a source the entity is added and starts empty; without a destination it is removed with its rows.
public struct EntityMapping: Hashable, Sendable {
  /// The entity whose rows are read, exactly that entity and none of its sub-entities.
  public var source: String?
  /// The entity whose rows are made.
  public var destination: String?
  /// The origin of every stored attribute of the destination, inherited ones included, by leaf path.
  ///
  /// The leaf path is the attribute's name, or for an element of a composite attribute the names joined by dots.
  /// Empty when there is no source, because no row is made.
  public var attributes: [String: AttributeMapping]
  /// The origin of every stored relationship of the destination, inherited ones included, by name.
  ///
  /// Empty when there is no source.
  public var relationships: [String: RelationshipMapping]

  /// Makes an entity mapping.
  public init(
    source: String?,
    destination: String?,
    attributes: [String: AttributeMapping] = [:],
    relationships: [String: RelationshipMapping] = [:]
  ) {
    self.source = source
    self.destination = destination
    self.attributes = attributes
    self.relationships = relationships
  }
}
