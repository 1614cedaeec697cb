package import Foundation
import MappingModels
package import ModelDescription

/// A UTF-8 text to which values are appended without a string for each of them.
package struct ByteText: Sendable {
  /// The text.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var count: Int { bytes.count }

  /// Removes the text and keeps its capacity.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Moves the text to the end of other bytes, and keeps its capacity.
  ///
  /// - Parameter count: a text with at most this many bytes is not moved.
  mutating func move(to data: inout Data, above count: Int = 0) {
    guard bytes.count > count else { return }
    data.append(contentsOf: bytes)
    removeAll()
  }

  /// Removes the bytes after a position.
  package mutating func cut(to count: Int) { bytes.removeSubrange(count...) }

  /// Inserts bytes at a position.
  package mutating func insert(_ part: [UInt8], at position: Int) { bytes.insert(contentsOf: part, at: position) }

  package mutating func append(byte: UInt8) { bytes.append(byte) }

  package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  package mutating func append(_ part: [UInt8]) { bytes.append(contentsOf: part) }

  package mutating func append(_ part: UnsafeRawBufferPointer) { bytes.append(contentsOf: part) }

  /// Appends a whole number in decimal digits.
  package mutating func append(_ number: Int64) {
    if number < 0 { append("-") }
    var rest = number.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Appends a number as Swift describes it: `2.0`, `0.1`, `1e+100`, `inf`.
  package mutating func append(_ number: Double) {
    guard let whole = Self.whole(number) else {
      var text = number.description
      text.withUTF8 { bytes.append(contentsOf: $0) }
      return
    }
    append(whole)
    append(".0")
  }

  /// Appends a number as a decimal number that was read from the nearest double is described: `2`, `0.1`.
  package mutating func append(decimal number: Double) {
    if let whole = Self.whole(number) { return append(whole) }
    let magnitude = number.magnitude
    // Between these, a double is written with the digits of a decimal number.
    guard magnitude >= 1e-3, magnitude < 1e15 else {
      return append(Decimal(string: number.description).map { "\($0)" } ?? "NaN")
    }
    append(number)
  }

  /// The whole number equal to a double; nil if the double is not whole, and for the negative zero.
  private static func whole(_ number: Double) -> Int64? {
    guard number.magnitude < 0x1p53, number == number.rounded(.towardZero), !(number == 0 && number.sign == .minus)
    else { return nil }
    return Int64(number)
  }

  package mutating func append(base64 data: UnsafeRawBufferPointer) {
    let digits = Self.base64Digits
    bytes.reserveCapacity(bytes.count + (data.count + 2) / 3 * 4)
    var position = 0
    while position + 2 < data.count {
      let group = UInt32(data[position]) << 16 | UInt32(data[position + 1]) << 8 | UInt32(data[position + 2])
      bytes.append(digits[Int(group >> 18)])
      bytes.append(digits[Int(group >> 12 & 63)])
      bytes.append(digits[Int(group >> 6 & 63)])
      bytes.append(digits[Int(group & 63)])
      position += 3
    }
    let rest = data.count - position
    guard rest > 0 else { return }
    let group = UInt32(data[position]) << 16 | (rest == 2 ? UInt32(data[position + 1]) << 8 : 0)
    bytes.append(digits[Int(group >> 18)])
    bytes.append(digits[Int(group >> 12 & 63)])
    bytes.append(rest == 2 ? digits[Int(group >> 6 & 63)] : UInt8(ascii: "="))
    append("=")
  }

  package mutating func append(base64 data: Data) { data.withUnsafeBytes { append(base64: $0) } }

  private static let base64Digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Appends data as hexadecimal digits in lower case.
  package mutating func append(hexadecimal data: UnsafeRawBufferPointer) {
    for byte in data { append(byte, Self.lowerDigits) }
  }

  private mutating func append(_ byte: UInt8, _ digits: [UInt8]) {
    bytes.append(digits[Int(byte >> 4)])
    bytes.append(digits[Int(byte & 15)])
  }

  private static let lowerDigits = Array("0123456789abcdef".utf8)
  private static let upperDigits = Array("0123456789ABCDEF".utf8)

  /// Appends the sixteen bytes of a UUID as its text in upper case.
  package mutating func append(uuid data: UnsafeRawBufferPointer) {
    for (position, byte) in data.enumerated() {
      if position == 4 || position == 6 || position == 8 || position == 10 { append("-") }
      append(byte, Self.upperDigits)
    }
  }
}

/// Values as a JSON store has them.
extension ByteText {
  /// The first whole number that a reader of JSON may round.
  private static let exact: UInt64 = 1 << 53

  /// Appends a text in double quotes; only quotes, backslashes and control characters are escaped.
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

  /// Appends a whole number: as a number, or as a text if a reader might round it.
  package mutating func append(json number: Int64) {
    guard number.magnitude >= Self.exact else { return append(number) }
    append("\"")
    append(number)
    append("\"")
  }

  /// Appends a number; as a text if JSON cannot represent it.
  package mutating func append(json number: Double) {
    guard !number.isFinite else { return append(number) }
    append("\"")
    append(number)
    append("\"")
  }

  /// Appends a date without quotes: in ISO 8601 if that is exact, or as seconds since 2001.
  package mutating func append(date seconds: Double) {
    guard let text = ISO8601Date.losslessText(of: seconds) else { return append(seconds) }
    append(text)
  }

  /// Appends a date: as a text in ISO 8601 if that is exact, or as seconds since 2001.
  package mutating func append(jsonDate seconds: Double) {
    guard let text = ISO8601Date.losslessText(of: seconds) else { return append(json: seconds) }
    append("\"")
    append(text)
    append("\"")
  }

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
