public import ModelDescription

/// Something of the rows that a migration does not keep.
public struct DataLoss: Hashable, Sendable {
  /// What is lost.
  public enum Kind: Hashable, Sendable {
    /// All rows of an entity.
    case entityRemoved
    /// All values of an attribute.
    case attributeRemoved
    /// All links of a relationship.
    case relationshipRemoved
    /// The values of an attribute whose name is now a relationship's.
    case attributeBecameRelationship
    /// The links of a relationship whose name is now an attribute's.
    case relationshipBecameAttribute
    /// The order of a relationship's links.
    case orderLost
    /// Values that the new type cannot hold exactly; nothing when every value fits.
    case narrowing([TypeConversion])
    /// Links to entities that the relationship no longer leads to.
    case linksDropped
  }

  /// Why it is lost.
  public enum Cause: Hashable, Sendable {
    /// The two models differ, as the kind of the loss says.
    case models

    // A custom mapping
    /// No entity mapping reads the entity.
    case noEntityMapping
    /// An entity mapping removes the entity.
    case removed(byMapping: String)
    /// No expression reads the property.
    case unread
    /// The filters of the entity mappings leave rows out.
    case filtered
    /// The look-ups that read the links do not find all objects at the other end.
    case notFound
    /// The relationship that takes the links is not ordered.
    case unordered(destination: String)

    // An option
    /// Objects at the other end are removed as duplicates.
    case duplicates(entity: String)
  }

  /// The source element as people name it, such as `Order.note` or `Order`.
  public var element: String
  /// The other end of lost links, which stands for the same loss.
  public var otherElement: String?
  /// The source entities whose objects lose it, of the loss of a property in an inferred mapping; else empty.
  public var entities: [String]
  /// What is lost.
  public var kind: Kind
  /// Why it is lost.
  public var cause: Cause

  /// Makes a loss.
  public init(
    element: String, otherElement: String? = nil, entities: [String] = [], kind: Kind, cause: Cause = .models
  ) {
    (self.element, self.otherElement, self.entities) = (element, otherElement, entities)
    (self.kind, self.cause) = (kind, cause)
  }
}
