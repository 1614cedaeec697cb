import Foundation
import ModelDescription

/// The limits of an attribute's numbers.
enum NumberLimits {
  static func allow(_ number: Double, _ rules: AttributeValidation) -> Bool {
    number >= (value(rules.minimum) ?? -.infinity) && number <= (value(rules.maximum) ?? .infinity)
  }

  /// The range that an attribute's type and validation allow.
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

/// The range of the stored values and the allowed range of an attribute.
struct NumberBounds {
  private(set) var least = Double.infinity
  private(set) var greatest = -Double.infinity
  private(set) var lower: Double
  private(set) var upper: Double
  let isWhole: Bool
  let isDate: Bool

  /// Begins without values, between the least and the greatest that are allowed.
  init(_ lower: Double, _ upper: Double, isWhole: Bool, isDate: Bool) {
    (self.lower, self.upper, self.isWhole, self.isDate) = (lower, upper, isWhole, isDate)
  }

  /// Whether no value was added yet.
  var isEmpty: Bool { least > greatest }

  mutating func add(_ value: Double) {
    least = min(least, value)
    greatest = max(greatest, value)
  }

  /// Narrows the allowed range to a different declaration of the attribute.
  mutating func narrow(to other: NumberBounds) { (lower, upper) = (max(lower, other.lower), min(upper, other.upper)) }
}

/// The shift of all numbers of an attribute.
struct NumberShift: Sendable {
  let amount: Double
  /// The range in which values that leave at one end reappear at the other end; nil if no value leaves it.
  let ring: Range<Double>?

  func moved(_ value: Int64) -> Int64 {
    guard let ring else { return value.addingReportingOverflow(Int64(amount)).partialValue }
    return Int64(exactly: moved(Double(value), in: ring)) ?? value
  }

  func moved(_ value: Double) -> Double {
    guard value.isFinite else { return value }
    return ring.map { moved(value, in: $0) } ?? value + amount
  }

  private func moved(_ value: Double, in ring: Range<Double>) -> Double {
    let width = ring.upperBound - ring.lowerBound
    return ring.lowerBound + (value - ring.lowerBound + amount).truncatingRemainder(dividingBy: width)
  }
}
