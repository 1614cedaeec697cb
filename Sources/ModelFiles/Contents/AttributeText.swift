import Foundation
import ModelDescription

/// Reads an attribute's value from the text that model files and the editor's archives keep it in.
enum AttributeText {
  /// The value, nil when the text is none of this type.
  static func value(of text: String, as type: AttributeType) -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64: integer(text).map { .integer($0) }
    case .decimal: decimal(text).map { .decimal($0) }
    case .double, .float: number(text).map { .double($0) }
    case .string: .string(text)
    case .boolean: (MarkupAttributes.flag(text) ?? number(text).map { $0 != 0 }).map { .boolean($0) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: .uri(text)
    case .date, .binary, .undefined, .transformable, .objectID, .composite, .unrecognized: nil
    }
  }

  /// Xcode writes whole numbers as `0` and, after a change of type, sometimes as `0.0`, or as `NO`, which compiles
  /// to 0 (seen in cached models of stores).
  private static func integer(_ text: String) -> Int64? {
    if text == "NO" { return 0 }
    return Int64(text) ?? number(text).flatMap { Int64(exactly: $0) }
  }

  private static func number(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func decimal(_ text: String) -> Decimal? {
    guard number(text) != nil else { return nil }
    return Decimal(string: text)
  }
}

extension AttributeText {
  /// The types that people give attributes.
  static let givenTypes: [AttributeType] = AttributeType.known.filter { $0 != .undefined && $0 != .objectID }
}
