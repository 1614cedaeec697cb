public import ModelDescription

/// A setting that only attributes of some types have, by its name in a `contents` file.
public enum AttributeSetting: String, CaseIterable, Hashable, Sendable {
  /// Large values are kept in files of their own.
  case externalStorage = "allowsExternalBinaryDataStorage"
  /// What makes data of a value.
  case transformer = "valueTransformerName"
  /// The class of the values.
  case valueClass = "customClassName"
  /// What a text must match.
  case regularExpression = "regularExpressionString"
  /// The composite type.
  case composite
  /// Whether the generated property is a scalar.
  case scalar = "usesScalarValueType"
  /// The least value, or the least length of a text.
  case minimum = "minValueString"
  /// The greatest value, or the greatest length of a text.
  case maximum = "maxValueString"

  /// True when attributes of a type can have it.
  public func suits(_ type: AttributeType) -> Bool {
    switch self {
    case .externalStorage: [.binary, .transformable, .string].contains(type)
    case .transformer, .valueClass: type == .transformable
    case .regularExpression: type == .string
    case .composite: type == .composite
    case .scalar: [.integer16, .integer32, .integer64, .double, .float, .boolean, .date, .uuid].contains(type)
    case .minimum, .maximum:
      [.integer16, .integer32, .integer64, .decimal, .double, .float, .date, .string].contains(type)
    }
  }

  /// True when an attribute has it.
  func isSet(in attribute: AttributeDescription) -> Bool {
    switch self {
    case .externalStorage: attribute.allowsExternalBinaryDataStorage
    case .transformer: attribute.valueTransformerName != nil
    case .valueClass: attribute.valueClassName != nil
    case .regularExpression: attribute.validation.regularExpression != nil
    case .composite: attribute.compositeName != nil
    case .scalar: attribute.usesScalarValueType != nil
    case .minimum: attribute.validation.minimum != nil
    case .maximum: attribute.validation.maximum != nil
    }
  }

  /// How messages call it.
  var words: String {
    switch self {
    case .externalStorage: "storage in files of its own"
    case .transformer: "a transformer"
    case .valueClass: "a class of values"
    case .regularExpression: "a regular expression"
    case .composite: "a composite type"
    case .scalar: "a scalar"
    case .minimum: "a least value"
    case .maximum: "a greatest value"
    }
  }
}
