import Foundation

/// Reads a property list in the form of OpenStep, such as `{ name = "1.xcdatamodel"; }`.
///
/// Foundation reads the format too, but prints a line to standard error for a broken file.
/// An octal escape is a unit of UTF-16, also above 0o177, where Foundation takes it for a character of NeXTSTEP.
struct OpenStepPropertyListReader {
  private let bytes: [UInt8]
  private var position = 0

  /// Decodes a property list.
  ///
  /// - Parameter data: the bytes, in UTF-8; they may be hostile.
  static func read(_ data: Data, limit: Int) throws(PropertyListError) -> PropertyList {
    guard data.count(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "(") }) <= limit else {
      throw .tooDeep(limit: limit)
    }
    guard String(data: data, encoding: .utf8) != nil else { throw .notAPropertyList }
    var reader = OpenStepPropertyListReader(bytes: Array(data))
    let list = try reader.value()
    guard try reader.next() == nil else { throw .notAPropertyList }
    return list
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The next byte that is not white space and not in a comment; nil at the end.
  private mutating func next() throws(PropertyListError) -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), 0x09...0x0D: position += 1
      case UInt8(ascii: "/") where isAt("//"):
        while position < bytes.count, ![0x0A, 0x0D].contains(bytes[position]) { position += 1 }
      case UInt8(ascii: "/") where isAt("/*"):
        position += 2
        while !isAt("*/") {
          guard position < bytes.count else { throw .notAPropertyList }
          position += 1
        }
        position += 2
      case let byte: return byte
      }
    }
    return nil
  }

  private func isAt(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  /// Skips a byte; false if a different byte follows.
  private mutating func skip(_ byte: Unicode.Scalar) throws(PropertyListError) -> Bool {
    guard try next() == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(PropertyListError) -> PropertyList {
    if try skip("{") { return try .dictionary(entries()) }
    if try skip("(") { return try .array(elements()) }
    if try skip("<") { return try .data(data()) }
    return try .string(text())
  }

  private mutating func entries() throws(PropertyListError) -> [String: PropertyList] {
    var entries: [String: PropertyList] = [:]
    while try !skip("}") {
      let key = try text()
      // A key alone is its own value.
      entries[key] = try skip("=") ? value() : .string(key)
      guard try skip(";") else { throw .notAPropertyList }
    }
    return entries
  }

  private mutating func elements() throws(PropertyListError) -> [PropertyList] {
    var elements: [PropertyList] = []
    while try !skip(")") {
      elements.append(try value())
      if try !skip(",") {
        guard try skip(")") else { throw .notAPropertyList }
        break
      }
    }
    return elements
  }

  private mutating func data() throws(PropertyListError) -> Data {
    var digits: [UInt8] = []
    while try !skip(">") {
      guard let byte = try next(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw .notAPropertyList
      }
      digits.append(UInt8(digit))
      position += 1
    }
    guard digits.count.isMultiple(of: 2) else { throw .notAPropertyList }
    return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  private mutating func text() throws(PropertyListError) -> String {
    if try skip("\"") { return try quoted(by: UInt8(ascii: "\"")) }
    if try skip("'") { return try quoted(by: UInt8(ascii: "'")) }
    let start = position
    while position < bytes.count, Self.isPlain(bytes[position]) { position += 1 }
    guard position > start else { throw .notAPropertyList }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "/", ":", ".", "-": true
    default: false
    }
  }

  private mutating func quoted(by quote: UInt8) throws(PropertyListError) -> String {
    var units: [UInt16] = []
    var start = position
    while position < bytes.count, bytes[position] != quote {
      guard bytes[position] == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      units += String(decoding: bytes[start..<position], as: UTF8.self).utf16
      units.append(try escaped())
      start = position
    }
    guard position < bytes.count else { throw .notAPropertyList }
    units += String(decoding: bytes[start..<position], as: UTF8.self).utf16
    position += 1
    return String(decoding: units, as: UTF16.self)
  }

  /// Reads the character after a backslash.
  private mutating func escaped() throws(PropertyListError) -> UInt16 {
    position += 1
    guard position < bytes.count else { throw .notAPropertyList }
    let byte = bytes[position]
    switch Unicode.Scalar(byte) {
    case "0"..."7": return number(digits: 3, radix: 8) ?? 0
    case "U":
      position += 1
      guard let unit = number(digits: 4, radix: 16) else { throw .notAPropertyList }
      return unit
    default: break
    }
    position += 1
    switch Unicode.Scalar(byte) {
    case "a": return 0x07
    case "b": return 0x08
    case "f": return 0x0C
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "v": return 0x0B
    case let scalar where scalar.isASCII: return UInt16(byte)
    default: throw .notAPropertyList
    }
  }

  /// Reads a number with a maximum number of digits; nil if no digit follows.
  private mutating func number(digits limit: Int, radix: Int) -> UInt16? {
    var number: Int?
    for _ in 0..<limit {
      guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue, digit < radix
      else { break }
      number = (number ?? 0) * radix + digit
      position += 1
    }
    return number.map { UInt16($0) }
  }
}
