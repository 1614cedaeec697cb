/// A limit of an attribute that another limit, or its own default value, does not keep.
package enum LimitContradiction: Hashable, Sendable {
  /// No value can be saved.
  case minimumAboveMaximum(AttributeValue, AttributeValue)
  /// A new object cannot be saved as it is.
  case defaultBelowMinimum(AttributeValue, AttributeValue)
  /// A new object cannot be saved as it is.
  case defaultAboveMaximum(AttributeValue, AttributeValue)
}

extension AttributeDescription {
  /// The first contradiction among the limits and the default value; of a string, the limits are of its length.
  package var limitContradiction: LimitContradiction? {
    let (minimum, maximum) = (validation.minimum, validation.maximum)
    if let minimum, let maximum, minimum.isAbove(maximum) { return .minimumAboveMaximum(minimum, maximum) }
    guard let value = defaultValue, let measure = type == .string ? value.length : value else { return nil }
    if let minimum, minimum.isAbove(measure) { return .defaultBelowMinimum(value, minimum) }
    if let maximum, measure.isAbove(maximum) { return .defaultAboveMaximum(value, maximum) }
    return nil
  }
}

extension AttributeValue {
  /// Whether both are numbers, or dates, and this is the greater.
  fileprivate func isAbove(_ other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.integer(let first), .integer(let second)): first > second
    case (.decimal(let first), .decimal(let second)): first > second
    default: (magnitude ?? .nan) > (other.magnitude ?? .nan)
    }
  }

  private var magnitude: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .decimal(let number): Double("\(number)")
    case .double(let number), .date(let number): number
    case .string, .boolean, .binary, .uuid, .uri: nil
    }
  }

  /// The length of a string as Core Data counts it, in UTF-16.
  fileprivate var length: AttributeValue? {
    if case .string(let text) = self { .integer(Int64(text.utf16.count)) } else { nil }
  }
}
