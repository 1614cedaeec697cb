/// Why passing every version and going straight give something else; names are the destination's.
public enum StraightReason: Hashable, Sendable {
  /// - Parameters:
  ///   - gap: the first version that lacks the entity.
  ///   - source: the entity that it continues straight.
  case newEntity(String, gap: String?, source: String)
  /// The entity continues another one, or none.
  case otherSource(entity: String, passing: String?, straight: String?)

  // Attributes
  case derived(entity: String, attribute: String)
  case converted(entity: String, attribute: String)
  case newAttribute(entity: String, attribute: String, gap: String?, source: String)
  case attributeContinued(entity: String, attribute: String, source: String)
  case filled(entity: String, attribute: String)

  // Relationships
  case linksMoved(entity: String, relationship: String)
  case newRelationship(entity: String, relationship: String, gap: String?, source: String)
}
