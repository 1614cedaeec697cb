import Foundation
import ModelDescription

/// Puts constants into words.
enum ConstantWords {
  static func words(of value: AttributeValue) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .double(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    case .boolean(let isTrue): isTrue ? "yes" : "no"
    case .string(let text): words(of: text)
    case .date(let seconds): ISO8601Date.text(of: seconds) ?? "\(seconds) seconds after 2001"
    case .binary(let data): data.count == 1 ? "1 byte" : "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let text): text
    }
  }

  /// What nobody hears is named; other text stands in quotation marks.
  private static func words(of text: String) -> String {
    switch text {
    case "": "an empty text"
    case " ": "a space"
    case ", ": "a comma and a space"
    case "\n", "\r\n": "a line break"
    case "\t": "a tab"
    default: "“\(text)”"
    }
  }
}
