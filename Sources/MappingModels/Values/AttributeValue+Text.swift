import Foundation
public import ModelDescription

extension AttributeValue {
  /// The value as a text from which ``parse(_:as:)`` gives it again; nil for one that no text gives, such as a date of the year
  /// 10000 and a number that is not finite.
  public var text: String? {
    switch self {
    case .integer(let number): "\(number)"
    case .decimal(let number): number.isFinite ? "\(number)" : nil
    case .double(let number): number.isFinite ? "\(number)" : nil
    case .string(let text): text
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let seconds): ISO8601Date.text(of: seconds) ?? ISO8601Date.exactText(of: seconds)
    case .binary(let data): "base64:\(data.base64EncodedString())"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let text): text.isEmpty || text.contains(where: \.isWhitespace) ? nil : text
    }
  }
}
