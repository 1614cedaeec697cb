/// What an attribute's value is checked against when it is saved; it enters no hash.
public struct AttributeValidation: Hashable, Sendable {
  /// The least value, or the least length of a string.
  public var minimum: AttributeValue?
  /// The greatest value, or the greatest length of a string.
  public var maximum: AttributeValue?
  /// The expression a string must match.
  public var regularExpression: String?

  /// Makes a validation; without arguments it accepts everything.
  public init(minimum: AttributeValue? = nil, maximum: AttributeValue? = nil, regularExpression: String? = nil) {
    self.minimum = minimum
    self.maximum = maximum
    self.regularExpression = regularExpression
  }
}
