/// What two migrated stores have otherwise of one entity or property.
struct ContentDifference: Hashable {
  /// What differs.
  enum Kind: Hashable {
    /// Objects that only one of the two has.
    case objects
    /// Values of an attribute.
    case values
    /// Links of a relationship, or their order.
    case links
  }

  /// The entity.
  let entity: String
  /// The attribute's leaf path, or the relationship; nil for whole objects.
  let property: String?
  /// What differs.
  let kind: Kind
  /// The number of objects for which it does.
  let count: Int
  /// The `Z_PK` of the first of them.
  let firstKey: Int64
  /// What the first store has there.
  let values: String
  /// What the second store has there.
  let otherValues: String

  /// The element as people name it.
  var element: String { property.map { "\(entity).\($0)" } ?? entity }

  /// The difference in one sentence.
  ///
  /// - Parameters:
  ///   - name: what the first store is called.
  ///   - other: what the second store is called.
  /// - Returns: the element, how many objects, and what the two stores have in the first of them.
  func sentence(_ name: String, _ other: String) -> String {
    """
    \(element) differs in \(count) \(count == 1 ? "object" : "objects"), first Z_PK \(firstKey): \
    \(values) \(name), \(otherValues) \(other)
    """
  }
}
