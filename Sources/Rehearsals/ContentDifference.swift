/// What two migrated stores have otherwise of one entity or property.
public struct ContentDifference: Hashable, Sendable {
  /// What differs.
  public enum Kind: Hashable, Sendable {
    /// Objects that only one of the two has.
    case objects
    /// Values of an attribute.
    case values
    /// Links of a relationship, or their order.
    case links
  }

  /// The entity.
  public let entity: String
  /// The attribute's leaf path, or the relationship; nil for whole objects.
  public let property: String?
  /// What differs.
  public let kind: Kind
  /// The number of objects for which it does.
  public let count: Int
  /// The `Z_PK` of the first of them.
  public let firstKey: Int64
  /// What the first store has there.
  public let values: String
  /// What the second store has there.
  public let otherValues: String

  /// The element as people name it.
  public var element: String { property.map { "\(entity).\($0)" } ?? entity }
}
