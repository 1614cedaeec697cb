import GRDB
import MappingModels
import ModelDescription

/// Checks what SQL or a policy gave for an attribute.
struct GivenValue {
  let type: AttributeType
  /// True when a number for an attribute of whole numbers loses its fraction, false when the fraction is a failure.
  let dropsFraction: Bool

  /// The value, when the attribute can have it.
  ///
  /// - Throws: ``RowValueError`` for a value of another type and for a number beyond the type's bounds.
  func value(of value: DatabaseValue, _ place: RowPlace) throws -> DatabaseValue {
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
