import Foundation
import MappingModels
import ModelDescription
import ModelFiles

/// The values of attributes in an XML store.
///
/// The names of `double`, `decimal`, `uuid`, `uri`, `transformable` and `composite` are by analogy: no store written by
/// Core Data was available.
enum XMLStoreValue {
  private static let types: [(name: String, type: AttributeType)] = [
    ("string", .string), ("bool", .boolean), ("int16", .integer16), ("int32", .integer32), ("int64", .integer64),
    ("binary", .binary), ("float", .float), ("double", .double), ("decimal", .decimal), ("date", .date),
    ("uuid", .uuid), ("uri", .uri), ("transformable", .transformable), ("composite", .composite),
  ]

  /// The name of a type; nil for a type without a name.
  static func name(of type: AttributeType) -> String? { types.first { $0.type == type }?.name }

  static func type(named name: String) -> AttributeType? { types.first { $0.name == name }?.type }

  /// The text of a value; nil for a value of a different type.
  static func text(of value: AttributeValue, type: AttributeType) -> String? {
    switch (type, value) {
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)):
      value.suits(type) ? String(number) : nil
    case (.float, .double(let number)): float(number)
    case (.double, .double(let number)): "\(number)"
    case (.decimal, .decimal(let number)): "\(number)"
    case (.string, .string(let text)), (.uri, .uri(let text)): text
    case (.boolean, .boolean(let flag)): flag ? "1" : "0"
    case (.date, .date(let seconds)): date(seconds)
    case (.binary, .binary(let bytes)): Base64.broken(bytes)
    case (.uuid, .uuid(let uuid)): uuid.uuidString
    default: nil
    }
  }

  /// The value of a text; nil if the text is not valid for the type.
  static func value(_ text: String, type: AttributeType) -> AttributeValue? {
    switch type {
    case .string: return .string(text)
    case .uri: return .uri(text)
    case .binary: return Base64.decoded(text).map { .binary($0) }
    default: break
    }
    let word = trimmed(text)
    return switch type {
    case .integer16: Int16(word).map { .integer(Int64($0)) }
    case .integer32: Int32(word).map { .integer(Int64($0)) }
    case .integer64: Int64(word).map { .integer($0) }
    case .boolean: boolean(word).map { .boolean($0) }
    case .float where digits(of: word) <= 9: real(word).map { .double(Double(Float($0))) }
    case .float, .double: real(word).map { .double($0) }
    case .decimal: decimal(word).map { .decimal($0) }
    case .date: real(word).map { .date($0) }
    case .uuid: UUID(uuidString: word).map { .uuid($0) }
    default: nil
    }
  }

  /// A text without the white space around it.
  private static func trimmed(_ text: String) -> String {
    guard let first = text.utf8.first, let last = text.utf8.last, isPlain(first), isPlain(last) else {
      return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    return text
  }

  private static func isPlain(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

  /// A 32-bit number in its shortest form; any other number with 17 digits.
  private static func float(_ number: Double) -> String {
    guard number.isFinite, Double(Float(number)) != number else { return "\(Float(number))" }
    return String(format: "%.16e", number)
  }

  /// Seconds with 20 decimals, or in the shortest exact form if these are not exact.
  private static func date(_ seconds: Double) -> String {
    let text = abs(seconds) < 1e15 ? String(format: "%.20f", seconds) : ""
    return Double(text) == seconds ? text : "\(seconds)"
  }

  private static func digits(of text: String) -> Int {
    text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }.count
  }

  private static func boolean(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "1", "true", "yes": true
    case "0", "false", "no": false
    default: nil
    }
  }

  /// A number; infinity and NaN only if the text says so.
  private static func real(_ word: String) -> Double? {
    if ["inf", "+inf", "-inf", "nan"].contains(word.lowercased()) { return Double(word) }
    guard word.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }), let number = Double(word), number.isFinite
    else { return nil }
    return number
  }

  private static func decimal(_ word: String) -> Decimal? {
    if word.lowercased() == "nan" { return Decimal.nan }
    guard case .decimal(let number)? = try? AttributeValue.parse(word, as: .decimal) else { return nil }
    return number
  }
}
