import Foundation
public import ModelDescription

extension AttributeValue {
  /// Reads a value from the text that you type.
  ///
  /// Numbers are plain, Booleans are yes, no, true, false, 1 or 0, dates are ISO 8601 (`2026-01-31`,
  /// `2026-01-31T12:00:00Z`, `2026-01-31T12:00:00.5+01:00`), binary data is `hex:…`, `base64:…` or hexadecimal digits,
  /// a UUID has its dashes and a URI is any text without spaces.
  ///
  /// - Throws: ``AttributeValueParseError`` with the accepted form.
  public static func parse(_ text: String, as type: AttributeType) throws(AttributeValueParseError) -> AttributeValue {
    if let value = value(of: text, as: type) { return value }
    throw AttributeValueParseError(text: text, type: type, accepted: type.acceptedText)
  }

  private static func value(of text: String, as type: AttributeType) -> AttributeValue? {
    switch type {
    case .integer16: Int16(text).map { .integer(Int64($0)) }
    case .integer32: Int32(text).map { .integer(Int64($0)) }
    case .integer64: Int64(text).map { .integer($0) }
    case .decimal: decimal(text).map { .decimal($0) }
    case .double: number(text).map { .double($0) }
    case .float: number(text).flatMap { Float($0).isFinite ? .double($0) : nil }
    case .string: .string(text)
    case .boolean: boolean(text).map { .boolean($0) }
    case .date: ISO8601Date.secondsSinceReferenceDate(text).map { .date($0) }
    case .binary, .transformable: data(text).map { .binary($0) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: text.isEmpty || text.contains(where: \.isWhitespace) ? nil : .uri(text)
    case .undefined, .objectID, .composite, .unrecognized: nil
    }
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }

  private static func number(_ text: String) -> Double? {
    guard text.allSatisfy({ "+-.eE0123456789".contains($0) }), let value = Double(text), value.isFinite else {
      return nil
    }
    return value
  }

  /// A decimal number; nil for more digits than it stores, which Foundation cuts without an error.
  private static func decimal(_ text: String) -> Decimal? {
    guard number(text) != nil, let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      value.isFinite
    else { return nil }
    let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
    guard digits.reversed().drop(while: { $0 == "0" }).count <= 38 || "\(value)" == text else { return nil }
    return value
  }

  private static func data(_ text: String) -> Data? {
    if text.hasPrefix("base64:") { return Data(base64Encoded: String(text.dropFirst(7))) }
    let digits = Array((text.hasPrefix("hex:") ? text.dropFirst(4) : text[...]).utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var data = Data(capacity: digits.count / 2)
    for position in stride(from: 0, to: digits.count, by: 2) {
      guard let high = hexValue(digits[position]), let low = hexValue(digits[position + 1]) else { return nil }
      data.append(high << 4 | low)
    }
    return data
  }

  private static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension AttributeType {
  /// A description of the accepted texts, for a message.
  fileprivate var acceptedText: String {
    switch self {
    case .integer16: "a whole number from -32768 to 32767"
    case .integer32: "a whole number from -2147483648 to 2147483647"
    case .integer64: "a whole number of 64 bits"
    case .decimal: "a number such as 1.5, with at most 38 digits"
    case .double, .float: "a number such as 1.5"
    case .string: "any text"
    case .boolean: "yes, no, true, false, 1 or 0"
    case .date: "an ISO 8601 date such as 2026-01-31 or 2026-01-31T12:00:00Z"
    case .binary, .transformable: "hex: and hexadecimal digits, or base64: and base64 data"
    case .uuid: "a UUID such as 8D44AD3C-7C0B-4B6B-9F0D-0C1F6E6C7A11"
    case .uri: "a URI without spaces"
    case .undefined, .objectID, .unrecognized: "no value of this type"
    case .composite: "a value of one of its elements"
    }
  }
}

extension AttributeValue {
  /// True if the value is an integer that does not fit an attribute of the type.
  package func isTooWide(for type: AttributeType) -> Bool {
    switch self {
    case .integer: [.integer16, .integer32].contains(type) && !suits(type)
    default: false
    }
  }

  /// True if an attribute of the type can have this value.
  package func suits(_ type: AttributeType) -> Bool {
    switch (self, type) {
    case (.integer(let value), .integer16): Int16(exactly: value) != nil
    case (.integer(let value), .integer32): Int32(exactly: value) != nil
    case (.integer, .integer64), (.boolean, .boolean): true
    case (.integer, .decimal), (.integer, .double), (.integer, .float): true
    case (.decimal, .decimal), (.double, .decimal), (.double, .double), (.double, .float): true
    case (.decimal, .double), (.decimal, .float): true
    case (.string, .string), (.date, .date), (.binary, .binary), (.binary, .transformable): true
    case (.uuid, .uuid), (.uri, .uri): true
    default: false
    }
  }
}

/// A text that is not a valid value of an attribute's type.
public struct AttributeValueParseError: Error, Hashable, Sendable {
  /// The text.
  public let text: String
  /// The type of the attribute.
  public let type: AttributeType
  /// The accepted texts, such as `a whole number of 64 bits`.
  public let accepted: String
}

extension AttributeValueParseError: AdvisedError {
  /// Nil, because the caller knows the attribute.
  public var place: String? { nil }

  /// The text and the type.
  public var cause: String { "“\(text)” is not a valid \(type.name)" }

  /// The accepted texts; nil if no text is accepted.
  public var advice: Advice? {
    switch type {
    case .undefined, .objectID, .unrecognized: nil
    default: "give \(accepted)"
    }
  }
}

extension AttributeValue {
  /// The value as a text that ``parse(_:as:)`` reads.
  ///
  /// Nil if no text gives the value, as for a date of the year 10000 or a number that is not finite.
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
