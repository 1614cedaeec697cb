import Foundation
import ModelDescription

extension ModelReport {
  /// A value of an attribute: a number or a Boolean as JSON has them, anything else as text.
  public enum Value: Encodable, Hashable, Sendable {
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case text(String)

    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .integer(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .boolean(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      }
    }
  }
}

extension ModelReport.Value {
  init(_ value: AttributeValue) {
    self =
      switch value {
      case .integer(let number): .integer(number)
      case .decimal(let number): .text(number.description)
      case .double(let number): number.isFinite ? .double(number) : .text("\(number)")
      case .string(let text), .uri(let text): .text(text)
      case .boolean(let flag): .boolean(flag)
      case .date(let seconds): .text(DateText.of(seconds))
      case .binary(let data): .text(data.base64EncodedString())
      case .uuid(let uuid): .text(uuid.uuidString)
      }
  }
}
