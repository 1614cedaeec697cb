import Foundation
import ModelDescription

/// Writes values of attributes as Xcode does.
enum AttributeSpelling {
  /// The text of a default value: fractions have a decimal point, `0.0`; nil for a value that only archives hold.
  static func defaultValue(_ value: AttributeValue) -> String? {
    switch value {
    case .double(let number): "\(number)"
    case .decimal(let number): decimal(number, isFraction: true)
    default: text(value)
    }
  }

  /// The text of a bound: as it was typed, `0`.
  static func limit(_ value: AttributeValue) -> String? {
    switch value {
    case .double(let number): whole(number)
    case .decimal(let number): decimal(number, isFraction: false)
    default: text(value)
    }
  }

  private static func text(_ value: AttributeValue) -> String? {
    switch value {
    case .integer(let number): String(number)
    case .string(let text), .uri(let text): text
    case .boolean(let flag): flag ? "YES" : "NO"
    case .date(let seconds): whole(seconds)
    case .uuid(let identifier): identifier.uuidString
    case .binary, .double, .decimal: nil
    }
  }

  /// A number without a decimal point where it needs none.
  private static func whole(_ number: Double) -> String {
    number != 0 || number.sign == .plus ? Int64(exactly: number).map { String($0) } ?? "\(number)" : "\(number)"
  }

  private static func decimal(_ number: Decimal, isFraction: Bool) -> String {
    let text = "\(number)"
    return isFraction && text.allSatisfy { $0.isNumber || $0 == "-" } ? text + ".0" : text
  }
}
