public import Foundation

/// A decimal number in code: what is written is what counts.
///
/// A literal such as `19.99` is read by its digits, up to fifteen of them, and not as the binary number next to it.
/// Longer ones are written as text: `DecimalConstant("12345678901234567.89")`.
public struct DecimalConstant: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// The number.
  public let decimal: Decimal

  /// Takes a number.
  public init(_ decimal: Decimal) { self.decimal = decimal }

  /// Takes an integer.
  public init(integerLiteral value: Int64) { decimal = Decimal(value) }

  /// Takes a number by the shortest text that stands for it.
  public init(floatLiteral value: Double) { decimal = Decimal(string: "\(value)") ?? Decimal(value) }

  /// Takes digits with a point, nil when the text is no number.
  public init?(_ text: String) {
    guard Double(text) != nil, let decimal = Decimal(string: text) else { return nil }
    self.decimal = decimal
  }
}
