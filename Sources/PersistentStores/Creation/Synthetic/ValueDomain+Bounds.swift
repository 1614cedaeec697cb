import Foundation
import ModelDescription
import ModelFiles

extension ValueDomain {
  /// A bound of a validation as a number.
  static func number(_ value: AttributeValue) -> Double? {
    let number: Double? =
      switch value {
      case .integer(let number): Double(number)
      case .double(let number), .date(let number): number
      case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
      case .boolean(let flag): flag ? 1 : 0
      case .string(let text): Double(text)
      case .binary, .uuid, .uri: nil
      }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The whole numbers of a type within bounds; without a lower bound they begin at 0 where that is allowed.
  static func integers(of type: AttributeType, minimum: Double?, maximum: Double?) -> ClosedRange<Int64> {
    let limits: ClosedRange<Int64> =
      switch type {
      case .integer16: Int64(Int16.min)...Int64(Int16.max)
      case .integer32: Int64(Int32.min)...Int64(Int32.max)
      default: Int64.min...Int64.max
      }
    let upper = maximum.flatMap { Int64(exactly: $0.rounded(.down)) }.map { min($0, limits.upperBound) }
    let lower = minimum.flatMap { Int64(exactly: $0.rounded(.up)) }.map { max($0, limits.lowerBound) }
    let last = max(upper ?? limits.upperBound, limits.lowerBound)
    let first = lower ?? (last >= 0 ? 0 : limits.lowerBound)
    return first <= last ? first...last : first...first
  }

  /// The real numbers within bounds; nil without any bound.
  static func reals(minimum: Double?, maximum: Double?) -> ClosedRange<Double>? {
    switch (minimum, maximum) {
    case (nil, nil): nil
    case (let minimum?, nil): minimum...(minimum + Double(1 << 20))
    case (nil, let maximum?): (maximum - Double(1 << 20))...maximum
    case (let minimum?, let maximum?): minimum <= maximum ? minimum...maximum : minimum...minimum
    }
  }

  /// The lengths of a text within bounds.
  static func lengths(minimum: Double?, maximum: Double?) -> ClosedRange<Int> {
    let upper = maximum.map { Int(min(max($0, 0), 1_000_000)) } ?? 1_000_000
    let lower = minimum.map { Int(min(max($0, 0), 10_000)) } ?? 0
    return lower <= upper ? lower...upper : lower...lower
  }

  /// How many texts of at most a length base 36 gives.
  static func texts(ofLength length: Int) -> Int {
    var count = 1
    for _ in 0..<min(length, 12) { count *= 36 }
    return count
  }

  /// The smallest whole number of at least so many digits, of at most 18.
  static func firstNumber(ofLength length: Int) -> Int {
    (1..<max(1, min(length, 18))).reduce(length > 1 ? 1 : 0) { number, _ in number * 10 }
  }

  /// How many whole numbers have so many digits; few enough for every type of numbers.
  static func numbers(ofLength lengths: ClosedRange<Int>) -> Int {
    min(32_000, max(1, firstNumber(ofLength: lengths.upperBound + 1) - firstNumber(ofLength: lengths.lowerBound)))
  }

  /// A keyed archive of a text, as the default transformer of transformable attributes makes it.
  static func archive(of text: String) -> Data {
    PropertyList.dictionary([
      "$version": .integer(100_000),
      "$archiver": .string("NSKeyedArchiver"),
      "$top": .dictionary(["root": .uid(1)]),
      "$objects": .array([.string("$null"), .string(text)]),
    ]).binary
  }
}
