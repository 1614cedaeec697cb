/// A property by the entity that declares it.
public struct PropertyAddress: Hashable, Sendable {
  /// The declaring entity.
  public var entity: String
  /// The property's name; for an element of a composite attribute the names joined by dots.
  public var property: String

  /// Makes an address.
  public init(entity: String, property: String) {
    self.entity = entity
    self.property = property
  }
}

extension PropertyAddress: CustomStringConvertible {
  /// The address as people write it, such as `Order.note`.
  public var description: String { "\(entity).\(property)" }
}
