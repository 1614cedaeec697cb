public import ModelDescription

/// A class that `CAST` names, with the type of attribute its objects are values of.
public enum ExpressionCast: String, Hashable, Sendable, CaseIterable {
  case string = "NSString"
  case number = "NSNumber"
  case decimal = "NSDecimalNumber"
  case date = "NSDate"
  case uuid = "NSUUID"
  case uri = "NSURL"
  case data = "NSData"

  /// The cast whose result an attribute of a type accepts; nil if no cast has such a result.
  public init?(storing type: AttributeType) {
    switch type {
    case .string: self = .string
    case .integer16, .integer32, .integer64, .double, .float, .boolean: self = .number
    case .decimal: self = .decimal
    case .date: self = .date
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .binary: self = .data
    case .transformable, .undefined, .objectID, .composite, .unrecognized: return nil
    }
  }

  /// The type of the result.
  public var type: AttributeType {
    switch self {
    case .string: .string
    case .number: .double
    case .decimal: .decimal
    case .date: .date
    case .uuid: .uuid
    case .uri: .uri
    case .data: .binary
    }
  }

  /// True if the cast accepts some value of a type.
  public func takes(_ type: ExpressionType) -> Bool {
    switch type {
    case .null, .unknown: return true
    case .truth: return self == .string || self == .number || self == .decimal
    case .value(let type):
      switch self {
      case .string: return type != .binary && type != .transformable
      case .number, .decimal: return type.isNumeric || [.boolean, .string, .date].contains(type)
      case .date: return type.isNumeric || [.string, .date].contains(type)
      case .uuid: return [.string, .uuid, .binary].contains(type)
      case .uri: return [.string, .uri].contains(type)
      case .data: return [.string, .uuid, .binary].contains(type)
      }
    default: return false
    }
  }
}

/// Reads the texts that `CAST` makes values of.
package enum CastText {
  /// Returns the value of a text.
  ///
  /// A date is in ISO 8601's calendar form, data is base64, a number is plain, and a URL is any text without spaces.
  package static func value(
    of text: String, as cast: ExpressionCast
  ) throws(AttributeValueParseError) -> AttributeValue {
    switch cast {
    case .string: .string(text)
    case .number: try number(text)
    case .data: try .parse("base64:" + text.filter { !$0.isWhitespace }, as: .binary)
    case .decimal, .date, .uuid, .uri: try .parse(text, as: cast.type)
    }
  }

  private static func number(_ text: String) throws(AttributeValueParseError) -> AttributeValue {
    if let whole = Int64(text) { return .integer(whole) }
    return try .parse(text, as: .double)
  }
}
