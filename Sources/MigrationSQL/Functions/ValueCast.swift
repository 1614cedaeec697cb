import Foundation
import GRDB
import MappingModels
import ModelDescription

/// `CAST` of a stored value.
struct ValueCast {
  /// The class that is named.
  let name: String
  /// The name of the value's attribute type; empty if it is unknown.
  let kind: String

  /// Returns the value, as the store keeps values of the type.
  func value(of value: DatabaseValue, _ place: RowLocation) throws -> DatabaseValue {
    guard let cast = ExpressionCast(rawValue: name) else { return .null }
    if cast == .string { return try text(of: value, place).databaseValue }
    switch value.storage {
    case .string(let text):
      do throws(AttributeValueParseError) {
        return try stored(CastText.value(of: text, as: cast))
      } catch {
        throw place.failure(.text(error))
      }
    case .blob(let data):
      guard cast == .data || cast == .uuid && data.count == 16 else {
        throw place.failure(.bytesOfNoClass(count: data.count, name: name))
      }
      return value
    case .int64, .double:
      guard [.number, .decimal, .date].contains(cast) else { throw place.failure(.numberOfNoClass(name: name)) }
      return cast == .date ? (Double.fromDatabaseValue(value) ?? 0).databaseValue : value
    case .null: return .null
    }
  }

  private func stored(_ value: AttributeValue) -> DatabaseValue {
    switch value {
    case .integer(let number): number.databaseValue
    case .decimal(let number):
      Int64(number.description)?.databaseValue ?? Double(number.description)?.databaseValue ?? .null
    case .double(let number), .date(let number): number.databaseValue
    case .string(let text), .uri(let text): text.databaseValue
    case .boolean(let flag): (flag ? 1 : 0).databaseValue
    case .binary(let data): data.databaseValue
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { Data($0) }.databaseValue
    }
  }

  private func text(of value: DatabaseValue, _ place: RowLocation) throws -> String {
    switch value.storage {
    case .string(let text): return text
    case .int64(let number): return kind == AttributeType.date.name ? try date(Double(number), place) : "\(number)"
    case .double(let number): return kind == AttributeType.date.name ? try date(number, place) : Self.text(of: number)
    case .blob(let data):
      guard let text = Self.uuid(data) else { throw place.failure(.bytesWithoutText(count: data.count)) }
      return text
    case .null: return ""
    }
  }

  private static func uuid(_ data: Data) -> String? {
    guard data.count == 16 else { return nil }
    let bytes = data.map { String(format: "%02X", $0) }
    let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
    return groups.map { $0.joined() }.joined(separator: "-")
  }

  /// The shortest text that gives the number back, without a fraction of zero.
  private static func text(of number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// ISO 8601 in UTC to the millisecond, from year 1 to year 9999.
  private func date(_ seconds: Double, _ place: RowLocation) throws -> String {
    let limits = (-63_114_076_800.0)..<252_423_993_600.0
    guard limits.contains(seconds) else { throw place.failure(.yearOutOfRange(seconds: seconds)) }
    let milliseconds = Int((seconds * 1000).rounded())
    let (day, rest) = milliseconds.quotientFloor(86_400_000)
    let (year, month, dayOfMonth) = Self.civil(day + 11_323)
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", year, month, dayOfMonth, rest / 3_600_000, rest / 60_000 % 60,
      rest / 1000 % 60, rest % 1000)
  }

  /// The calendar day of a number of days since 1970-01-01.
  private static func civil(_ days: Int) -> (Int, Int, Int) {
    let shifted = days + 719_468
    let (era, dayOfEra) = shifted.quotientFloor(146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Int {
  /// The quotient rounded down, and a remainder that is never negative.
  fileprivate func quotientFloor(_ divisor: Int) -> (Int, Int) {
    let remainder = ((self % divisor) + divisor) % divisor
    return ((self - remainder) / divisor, remainder)
  }
}

/// Checks the result of SQL or of a policy for an attribute.
struct GivenValue {
  let type: AttributeType
  /// True if a number for an integer attribute loses its fraction; false if the fraction is an error.
  let dropsFraction: Bool

  /// The value, when the attribute can have it.
  ///
  /// - Throws: ``RowValueError`` for a value of a different type and for a number beyond the type's bounds.
  func value(of value: DatabaseValue, _ place: RowLocation) throws -> DatabaseValue {
    switch (type, value.storage) {
    case (_, .null), (.undefined, _), (.objectID, _), (.composite, _), (.unrecognized, _): return value
    case (.integer16, _), (.integer32, _), (.integer64, _), (.boolean, _):
      guard let number = whole(value) else { break }
      if !dropsFraction, case .double(let real) = value.storage, real != Double(number) {
        throw place.failure(.fraction(real, type))
      }
      guard (type == .boolean ? 0...1 : type.bounds ?? .min ... .max).contains(number) else {
        throw place.failure(.unfitForType(number, type))
      }
      return number.databaseValue
    case (.double, .int64(let number)), (.float, .int64(let number)): return Double(number).databaseValue
    case (.double, .double), (.float, .double), (.decimal, .int64), (.decimal, .double), (.date, .int64),
      (.date, .double), (.string, .string), (.uri, .string), (.binary, .blob), (.transformable, .blob):
      return value
    case (.uuid, .blob(let data)) where data.count == 16: return value
    default: break
    }
    throw place.failure(.otherType(value, type))
  }

  private func whole(_ value: DatabaseValue) -> Int64? {
    switch value.storage {
    case .int64(let number): number
    case .double(let number): Int64(exactly: number.rounded(.towardZero))
    default: nil
    }
  }
}
