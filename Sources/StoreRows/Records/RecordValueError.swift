public import ModelDescription

/// A row holds something that is no value of its attribute.
public struct RecordValueError: Error, Hashable, Sendable {
  /// The object.
  public let object: RecordID
  /// The attribute, or the element of a composite one.
  public let property: String
  /// The attribute's type.
  public let expected: AttributeType

  package init(object: RecordID, property: String, expected: AttributeType) {
    (self.object, self.property, self.expected) = (object, property, expected)
  }
}

extension RecordValueError: CustomStringConvertible {
  /// The place, what is wrong, and where more is said about it.
  public var description: String {
    "\(object): what stands for \(property) is no value of type \(expected.name); modelctl verify "
      + "lists all such values of a store"
  }
}
