import Foundation
import GRDB
import ModelDescription
import ModelFiles

/// The values that an attribute's type and validation allow, counted from 0.
struct ValueDomain {
  private let attribute: AttributeDescription
  private let seed: UInt64
  private let isNumber: Bool
  private let integers: ClosedRange<Int64>
  private let reals: ClosedRange<Double>?
  private let lengths: ClosedRange<Int>
  private let archives: [Data]

  /// How many different values there are, at most `Int.max`.
  let count: Int

  /// How many steps a bounded real range is cut into.
  private static let realSteps = 1 << 20

  init(_ attribute: AttributeDescription, seed: UInt64, isNumber: Bool = false) {
    (self.attribute, self.seed, self.isNumber) = (attribute, seed, isNumber)
    let minimum = attribute.validation.minimum.flatMap { Self.number($0) }
    let maximum = attribute.validation.maximum.flatMap { Self.number($0) }
    integers = Self.integers(of: attribute.type, minimum: minimum, maximum: maximum)
    reals = Self.reals(minimum: minimum, maximum: maximum)
    lengths = Self.lengths(minimum: minimum, maximum: maximum)
    let mark = attribute.allowsExternalBinaryDataStorage ? Data([0x01]) : Data()
    archives = attribute.type == .transformable ? (0..<16).map { mark + Self.archive(of: "value \($0)") } : []
    switch attribute.type {
    case .boolean: count = 2
    case .integer16, .integer32, .integer64:
      let width = UInt64(bitPattern: integers.upperBound &- integers.lowerBound)
      count = width >= UInt64(Int.max) ? Int.max : Int(width) + 1
    case .double, .float, .decimal, .date:
      count = reals == nil ? (attribute.type == .float ? 1 << 22 : 1 << 40) : Self.realSteps
    case .string: count = isNumber ? Self.numbers(ofLength: lengths) : Self.texts(ofLength: lengths.upperBound)
    case .transformable: count = 16
    case .uri, .uuid, .binary: count = Int.max
    default: count = 1
    }
  }

  /// The value at a position below ``count``; different positions have different values.
  func value(at position: Int) -> DatabaseValue {
    switch attribute.type {
    case .boolean: return Int64(position & 1).databaseValue
    case .integer16, .integer32, .integer64: return (integers.lowerBound &+ Int64(position)).databaseValue
    case .double, .decimal: return real(at: position).databaseValue
    case .float: return Double(Float(real(at: position))).databaseValue
    case .date: return (reals == nil ? 600_000_000 + Double(position) / 2 : real(at: position)).databaseValue
    case .string: return text(at: position).databaseValue
    case .uri: return "https://example.com/\(attribute.name)/\(position)".databaseValue
    case .uuid: return Data(uuid(at: position)).databaseValue
    case .binary: return binary(at: position).databaseValue
    case .transformable: return archives[position & 15].databaseValue
    default: return .null
    }
  }

  /// The sixteen bytes of a random UUID that contains its position.
  func uuid(at position: Int) -> [UInt8] {
    let words = [SplitMix64.mix(seed &+ UInt64(position)), UInt64(position)]
    var bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    bytes[6] = (bytes[6] & 0x0F) | 0x40
    bytes[8] = (bytes[8] & 0x3F) | 0x80
    return bytes
  }

  /// Bytes that begin with their position; external storage puts a marker before them.
  private func binary(at position: Int) -> Data {
    var bytes = attribute.allowsExternalBinaryDataStorage ? [0x01] : [UInt8]()
    bytes += content(at: position)
    return Data(bytes)
  }

  /// The bytes of a binary value, without a marker.
  func content(at position: Int) -> [UInt8] {
    var generator = SplitMix64(seed: seed &+ UInt64(position))
    let length = Int(generator.next() % 4)
    let words = [UInt64(position)] + (0..<length).map { _ in generator.next() }
    return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
  }

  /// The beginnings of as many binary values, which are their positions.
  func positions(_ count: Int, from first: Int) -> Data {
    let words = (0..<count).map { UInt64(first &+ $0).bigEndian }
    return words.withUnsafeBytes { Data($0) }
  }

  private func real(at position: Int) -> Double {
    guard let reals else { return Double(position) / 4 }
    let fraction = Double(position) / Double(Self.realSteps)
    return min(reals.upperBound, reals.lowerBound * (1 - fraction) + reals.upperBound * fraction)
  }

  /// The position in base 36, filled up to the least length with the attribute's name.
  private func text(at position: Int) -> String {
    guard lengths.upperBound > 0 else { return "" }
    if isNumber { return String(Self.firstNumber(ofLength: lengths.lowerBound) + position) }
    let digits = String(position, radix: 36)
    let wanted = min(max(lengths.lowerBound, digits.utf8.count), lengths.upperBound)
    let readable = "\(attribute.name) \(digits)"
    if readable.count >= lengths.lowerBound, readable.count <= lengths.upperBound { return readable }
    return String(repeating: "0", count: max(0, wanted - digits.utf8.count)) + digits
  }

  static func number(_ value: AttributeValue) -> Double? {
    let number: Double? =
      switch value {
      case .integer(let number): Double(number)
      case .double(let number), .date(let number): number
      case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
      case .boolean(let flag): flag ? 1 : 0
      case .string(let text): Double(text)
      case .binary, .uuid, .uri: nil
      }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The whole numbers of a type within bounds; without a lower bound they begin at 0 if 0 is allowed.
  static func integers(of type: AttributeType, minimum: Double?, maximum: Double?) -> ClosedRange<Int64> {
    let limits: ClosedRange<Int64> =
      switch type {
      case .integer16: Int64(Int16.min)...Int64(Int16.max)
      case .integer32: Int64(Int32.min)...Int64(Int32.max)
      default: Int64.min...Int64.max
      }
    let upper = maximum.flatMap { Int64(exactly: $0.rounded(.down)) }.map { min($0, limits.upperBound) }
    let lower = minimum.flatMap { Int64(exactly: $0.rounded(.up)) }.map { max($0, limits.lowerBound) }
    let last = max(upper ?? limits.upperBound, limits.lowerBound)
    let first = lower ?? (last >= 0 ? 0 : limits.lowerBound)
    return first <= last ? first...last : first...first
  }

  /// The real numbers within bounds; nil without any bound.
  static func reals(minimum: Double?, maximum: Double?) -> ClosedRange<Double>? {
    switch (minimum, maximum) {
    case (nil, nil): nil
    case (let minimum?, nil): minimum...(minimum + Double(1 << 20))
    case (nil, let maximum?): (maximum - Double(1 << 20))...maximum
    case (let minimum?, let maximum?): minimum <= maximum ? minimum...maximum : minimum...minimum
    }
  }

  /// The lengths of a text within bounds.
  static func lengths(minimum: Double?, maximum: Double?) -> ClosedRange<Int> {
    let upper = maximum.map { Int(min(max($0, 0), 1_000_000)) } ?? 1_000_000
    let lower = minimum.map { Int(min(max($0, 0), 10_000)) } ?? 0
    return lower <= upper ? lower...upper : lower...lower
  }

  /// The number of different base-36 texts with at most this length.
  static func texts(ofLength length: Int) -> Int {
    var count = 1
    for _ in 0..<min(length, 12) { count *= 36 }
    return count
  }

  /// The smallest whole number with at least this many digits, up to 18.
  static func firstNumber(ofLength length: Int) -> Int {
    (1..<max(1, min(length, 18))).reduce(length > 1 ? 1 : 0) { number, _ in number * 10 }
  }

  /// The number of whole numbers with this many digits; it fits every numeric type.
  static func numbers(ofLength lengths: ClosedRange<Int>) -> Int {
    min(32_000, max(1, firstNumber(ofLength: lengths.upperBound + 1) - firstNumber(ofLength: lengths.lowerBound)))
  }

  /// A keyed archive of a text, as the default value transformer creates it.
  static func archive(of text: String) -> Data {
    PropertyList.dictionary([
      "$version": .integer(100_000),
      "$archiver": .string("NSKeyedArchiver"),
      "$top": .dictionary(["root": .uid(1)]),
      "$objects": .array([.string("$null"), .string(text)]),
    ]).binary
  }
}
