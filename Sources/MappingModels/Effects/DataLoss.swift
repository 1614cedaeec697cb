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

  /// The source element as people name it, such as `Order.note` or `Order`.
  public var element: String
  /// The other end of lost links, which stands for the same loss.
  public var otherElement: String?
  /// What is lost.
  public var kind: Kind
  /// The loss in one sentence.
  public var sentence: String

  /// Makes a loss.
  public init(element: String, otherElement: String? = nil, kind: Kind, sentence: String) {
    self.element = element
    self.otherElement = otherElement
    self.kind = kind
    self.sentence = sentence
  }
}
