import Foundation
import ModelDescription

/// The limits of an attribute's numbers.
enum NumberLimits {
  /// True when a validation allows a number, or a length.
  static func allow(_ number: Double, _ rules: AttributeValidation) -> Bool {
    number >= (value(rules.minimum) ?? -.infinity) && number <= (value(rules.maximum) ?? .infinity)
  }

  /// What an attribute's type and validation leave.
  static func range(of attribute: AttributeDescription) -> (lower: Double, upper: Double) {
    let (low, high): (Double, Double) =
      switch attribute.type {
      case .integer16: (Double(Int16.min), Double(Int16.max))
      case .integer32: (Double(Int32.min), Double(Int32.max))
      // Beyond this a whole number has no double of its own.
      case .integer64: (-0x1p53, 0x1p53)
      default: (-.infinity, .infinity)
      }
    let rules = attribute.validation
    return (max(low, value(rules.minimum) ?? low), min(high, value(rules.maximum) ?? high))
  }

  private static func value(_ limit: AttributeValue?) -> Double? {
    switch limit {
    case .integer(let number)?: Double(number)
    case .decimal(let number)?: NSDecimalNumber(decimal: number).doubleValue
    case .double(let number)?, .date(let number)?: number
    default: nil
    }
  }
}
