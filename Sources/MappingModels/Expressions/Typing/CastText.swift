package import ModelDescription

/// Reads the texts that `CAST` makes values of.
package enum CastText {
  /// The value of a text.
  ///
  /// A date is ISO 8601's calendar form, data is base64, a number is plain, a URL is any text without spaces.
  ///
  /// - Throws: ``AttributeValueParseError`` when the text has not the form.
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

  /// A whole number stays one.
  private static func number(_ text: String) throws(AttributeValueParseError) -> AttributeValue {
    if let whole = Int64(text) { return .integer(whole) }
    return try .parse(text, as: .double)
  }
}
