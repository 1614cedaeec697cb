package import Foundation
import MappingModels
package import ModelDescription

/// Values as a JSON store has them.
extension ByteText {
  /// From it on a reader of JSON may round a whole number.
  private static let exact: UInt64 = 1 << 53

  /// Appends a text in double quotes, everything but quotes, backslashes and control characters as it is.
  package mutating func append(quoted text: UnsafeRawBufferPointer) {
    append("\"")
    var start = 0
    for position in 0..<text.count {
      let byte = text[position]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F else { continue }
      append(UnsafeRawBufferPointer(rebasing: text[start..<position]))
      append(escaped: byte)
      start = position + 1
    }
    append(UnsafeRawBufferPointer(rebasing: text[start...]))
    append("\"")
  }

  /// Appends a text in double quotes.
  package mutating func append(quoted text: String) {
    var text = text
    text.withUTF8 { append(quoted: UnsafeRawBufferPointer($0)) }
  }

  private mutating func append(escaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\r"): append("\\r")
    case UInt8(ascii: "\t"): append("\\t")
    case 0..<0x20, 0x7F:
      append("\\u00")
      withUnsafeBytes(of: byte) { append(hexadecimal: $0) }
    default:
      append("\\")
      append(byte: byte)
    }
  }

  /// Appends a whole number: a number, or a text where a reader might round it.
  package mutating func append(json number: Int64) {
    guard number.magnitude >= Self.exact else { return append(number) }
    append("\"")
    append(number)
    append("\"")
  }

  /// Appends a number; a text where JSON has no number for it.
  package mutating func append(json number: Double) {
    guard !number.isFinite else { return append(number) }
    append("\"")
    append(number)
    append("\"")
  }

  /// Appends a moment without quotes: in ISO 8601 where that gives it exactly, else as seconds since 2001.
  package mutating func append(date seconds: Double) {
    guard let text = ISO8601Date.losslessText(of: seconds) else { return append(seconds) }
    append(text)
  }

  /// Appends a moment: a text of ISO 8601 where it gives the moment exactly, else seconds since 2001.
  package mutating func append(jsonDate seconds: Double) {
    guard let text = ISO8601Date.losslessText(of: seconds) else { return append(json: seconds) }
    append("\"")
    append(text)
    append("\"")
  }

  /// Appends the value of an attribute.
  package mutating func append(json value: AttributeValue) {
    switch value {
    case .integer(let number): append(json: number)
    case .decimal(let number): append("\"\(number)\"")
    case .double(let number): append(json: number)
    case .string(let text), .uri(let text): append(quoted: text)
    case .boolean(let flag): append(flag ? "true" : "false")
    case .date(let seconds): append(jsonDate: seconds)
    case .binary(let data): append(jsonData: data)
    case .uuid(let uuid): append("\"\(uuid.uuidString)\"")
    }
  }

  /// Appends data as a text of base64.
  package mutating func append(jsonData data: Data) {
    append("\"")
    append(base64: data)
    append("\"")
  }
}
