public import ModelDescription

/// Something of the rows that a migration does not keep.
public struct DataLoss: Hashable, Sendable {
  /// The kind of lost data.
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
    /// Values that the new type cannot hold exactly. No data is lost if every value fits.
    case narrowing([TypeConversion])
    /// Links to entities that the relationship can no longer hold.
    case linksDropped
  }

  /// The cause of the loss.
  public enum Cause: Hashable, Sendable {
    /// The difference of the two models, as the kind of the loss describes.
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
    /// The look-ups that read the links do not find all linked objects.
    case notFound
    /// The relationship that takes the links is not ordered.
    case unordered(destination: String)

    // An option
    /// Linked objects are removed as duplicates.
    case duplicates(entity: String)
  }

  /// The name of the source element, such as `Order.note` or `Order`.
  public var element: String
  /// The inverse relationship of lost links, which names the same loss.
  public var otherElement: String?
  /// The source entities whose objects lose a property in an inferred mapping; empty for any other loss.
  public var entities: [String]
  /// The kind of lost data.
  public var kind: Kind
  /// The cause of the loss.
  public var cause: Cause

  /// Creates a loss.
  public init(
    element: String, otherElement: String? = nil, entities: [String] = [], kind: Kind, cause: Cause = .models
  ) {
    (self.element, self.otherElement, self.entities) = (element, otherElement, entities)
    (self.kind, self.cause) = (kind, cause)
  }
}
