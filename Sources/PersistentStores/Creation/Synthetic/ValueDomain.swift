import Foundation
import GRDB
import ModelDescription

/// The values that an attribute's type and validation allow, counted from 0.
struct ValueDomain {
  private let attribute: AttributeDescription
  private let seed: UInt64
  /// True for texts that are whole numbers.
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
    self.attribute = attribute
    self.seed = seed
    self.isNumber = isNumber
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

  /// The sixteen bytes of a random UUID that holds its position.
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
}
