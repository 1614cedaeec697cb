public import ModelDescription

/// A text that is no value of an attribute's type.
public struct AttributeValueParseError: Error, Hashable, Sendable {
  /// The text as given.
  public let text: String
  /// The type it should be of.
  public let type: AttributeType
  /// What would be accepted.
  public let accepted: String
}

extension AttributeValueParseError: CustomStringConvertible {
  /// The text, the type and what would be accepted.
  public var description: String {
    "“\(text)” is no value of type \(type.name): \(accepted)"
  }
}
