/// A named group of attributes that a composite attribute stores together.
public struct CompositeDescription: Hashable, Sendable {
  /// The composite type's name.
  public var name: String
  /// Its attributes, which may themselves be composite.
  public var elements: [AttributeDescription]

  /// Makes a composite type.
  public init(name: String, elements: [AttributeDescription]) {
    self.name = name
    self.elements = elements
  }
}
