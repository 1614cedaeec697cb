import Foundation
import ModelDescription

/// How constants that have no literal of their own are written: as a cast of a text or a number.
enum ConstantCast {
  /// What a cast of a literal stands for.
  enum Meaning {
    /// The constant that is written in this way.
    case constant(AttributeValue)
    /// A cast that is made when the expression is evaluated.
    case cast
    /// No value of the type.
    case invalid(String)
  }

  /// What `CAST(literal, "type")` stands for.
  static func constant(_ literal: AttributeValue, as type: String) -> Meaning {
    switch (literal, type) {
    case (.string(let text), "NSURL"): return .constant(.uri(text))
    case (.string("nan"), "NSNumber"): return .constant(.double(.nan))
    case (.string("inf"), "NSNumber"): return .constant(.double(.infinity))
    case (.string("-inf"), "NSNumber"): return .constant(.double(-.infinity))
    case (.string("NaN"), "NSDecimalNumber"): return .constant(.decimal(.nan))
    case (.string(let text), _):
      guard let attributeType = types[type] else { return .cast }
      let written = attributeType == .binary ? "base64:" + text : text
      return (try? AttributeValue.parse(written, as: attributeType)).map { .constant($0) } ?? .invalid(text)
    case (.integer(let seconds), "NSDate"): return .constant(.date(Double(seconds)))
    case (.double(let seconds), "NSDate"): return .constant(.date(seconds))
    default: return .cast
    }
  }

  private static let types: [String: AttributeType] = [
    "NSDate": .date, "NSUUID": .uuid, "NSData": .binary, "NSDecimalNumber": .decimal,
  ]

  /// The literal and the type that stand for a constant, nil when it has a literal of its own.
  static func cast(of constant: AttributeValue) -> (literal: AttributeValue, type: String)? {
    switch constant {
    case .integer, .string, .boolean: nil
    case .double(let value): value.isFinite ? nil : (.string("\(value)"), "NSNumber")
    case .decimal(let value): (.string(value.description), "NSDecimalNumber")
    case .date(let seconds): (ISO8601Date.text(of: seconds).map { .string($0) } ?? .double(seconds), "NSDate")
    case .binary(let data): (.string(data.base64EncodedString()), "NSData")
    case .uuid(let uuid): (.string(uuid.uuidString), "NSUUID")
    case .uri(let text): (.string(text), "NSURL")
    }
  }
}
