import Foundation

/// How far all numbers of an attribute are moved.
struct NumberShift: Sendable {
  /// What is added.
  let amount: Double
  /// Where what leaves it at one end comes back at the other; nil where nothing leaves.
  let ring: Range<Double>?

  /// Moves a whole number.
  func moved(_ value: Int64) -> Int64 {
    guard let ring else { return value.addingReportingOverflow(Int64(amount)).partialValue }
    return Int64(exactly: moved(Double(value), in: ring)) ?? value
  }

  /// Moves a number.
  func moved(_ value: Double) -> Double {
    guard value.isFinite else { return value }
    return ring.map { moved(value, in: $0) } ?? value + amount
  }

  private func moved(_ value: Double, in ring: Range<Double>) -> Double {
    let width = ring.upperBound - ring.lowerBound
    return ring.lowerBound + (value - ring.lowerBound + amount).truncatingRemainder(dividingBy: width)
  }
}
