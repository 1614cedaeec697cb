import MappingModels
import MigrationSQL
import ModelDescription

/// The SQL conversion of a stored value from a single type to another.
enum ValueConversion: Hashable {
  /// The stored value is the same.
  case none
  /// A number, or a text that is a number, becomes a whole number within bounds; fractions are cut off.
  case integer(minimum: Int64, maximum: Int64)
  /// Zero is kept, and every other number becomes one.
  case boolean
  /// A number, or a text that is one, becomes a floating-point number.
  case real
  /// A number, or a text that is one, becomes a floating-point number of half the size; the stored digits stay.
  case single
  /// A floating-point number is stored unchanged and is read as a 32-bit number.
  case readAsSingle
  /// A number, or a text that is one, becomes an exact number.
  case numeric
  /// The number that a text begins with, 0 where there is none, is converted.
  indirect case digits(ValueConversion)
  /// A text that is a URI is kept.
  case uriFromText
  /// A value becomes its text.
  case text
  /// A number becomes the shortest text that gives it back.
  case textFromNumber
  /// An ISO 8601 text becomes seconds since 2001-01-01T00:00:00Z.
  case dateFromText
  /// Seconds since 2001-01-01T00:00:00Z become an ISO 8601 text.
  case textFromDate
  /// A text of 32 hexadecimal digits, with or without hyphens, becomes 16 bytes.
  case uuidFromText
  /// 16 bytes become the text of a UUID, others their hexadecimal digits.
  case textFromUUID
  /// 16 bytes stay; others are no UUID.
  case uuidFromBytes
  /// Bytes of UTF-8 become a text; invalid bytes become the replacement character.
  case textFromBytes
  /// A text becomes its UTF-8 bytes.
  case bytes

  init(from source: AttributeType, to destination: AttributeType) {
    if source == .double, destination == .float {
      self = .readAsSingle
    } else {
      self = Self.keepsStoredValue(source, destination) ? .none : Self.conversion(from: source, to: destination)
    }
  }

  /// False if the stored value is kept unchanged.
  var changesStoredValue: Bool { ![.none, .readAsSingle, .uriFromText].contains(self) }

  private static func keepsStoredValue(_ source: AttributeType, _ destination: AttributeType) -> Bool {
    if source == destination { return true }
    switch destination {
    case .integer16: return source == .boolean
    case .integer32: return source == .boolean || source == .integer16
    case .integer64: return source == .boolean || source == .integer16 || source == .integer32
    case .double: return source == .float
    case .string: return source == .uri
    case .binary, .transformable: return source == .binary || source == .transformable || source == .uuid
    default: return false
    }
  }

  private static func conversion(from source: AttributeType, to destination: AttributeType) -> ValueConversion {
    if source == .string, destination.isNumeric || destination == .boolean {
      return .digits(conversion(from: .double, to: destination))
    }
    return switch destination {
    case .integer16: .integer(minimum: -0x8000, maximum: 0x7FFF)
    case .integer32: .integer(minimum: -0x8000_0000, maximum: 0x7FFF_FFFF)
    case .integer64: .integer(minimum: .min, maximum: .max)
    case .boolean: .boolean
    case .date where source == .string: .dateFromText
    case .float: .single
    case .double, .date: .real
    case .decimal: .numeric
    case .string where source == .date: .textFromDate
    case .string where source == .uuid: .textFromUUID
    case .string where [.double, .float, .decimal].contains(source): .textFromNumber
    case .string where source == .binary: .textFromBytes
    case .string: .text
    case .uri: .uriFromText
    case .uuid where source == .string: .uuidFromText
    case .uuid: .uuidFromBytes
    case .binary, .transformable: .bytes
    case .undefined, .objectID, .composite, .unrecognized: .none
    }
  }

  func applied(to value: SQLStatement) -> SQLStatement {
    switch self {
    case .none, .readAsSingle, .uriFromText: value
    case .digits(let conversion): conversion.appliedToNumber("modelctl_number(\(Self.bytes(value)))")
    case .integer(let minimum, let maximum) where minimum == .min && maximum == .max: "CAST(\(value) AS INTEGER)"
    case .integer(let minimum, let maximum):
      "MIN(MAX(CAST(\(value) AS INTEGER), \(.integer(minimum))), \(.integer(maximum)))"
    case .boolean: "CAST(\(value) AS NUMERIC) <> 0"
    case .real, .single: "CAST(\(value) AS REAL)"
    case .textFromNumber: "modelctl_text(\(value))"
    case .numeric: "CAST(\(value) AS NUMERIC)"
    case .text: "CAST(\(value) AS TEXT)"
    case .bytes: "CAST(\(value) AS BLOB)"
    case .dateFromText: "modelctl_date(\(Self.bytes(value)))"
    case .textFromDate: "modelctl_date_text(\(value))"
    case .uuidFromText: "modelctl_uuid(\(Self.bytes(value)))"
    case .uuidFromBytes: "CASE WHEN length(\(Self.bytes(value))) = 16 THEN \(Self.bytes(value)) END"
    case .textFromUUID:
      """
      CASE WHEN length(\(Self.bytes(value))) = 16 THEN substr(hex(\(value)), 1, 8) || '-' || substr(hex(\(value)), 9, 4) || '-' || substr(hex(\(value)), 13, 4) \
      || '-' || substr(hex(\(value)), 17, 4) || '-' || substr(hex(\(value)), 21, 12) WHEN \(value) IS NOT NULL THEN hex(\(value)) END
      """
    case .textFromBytes: "CAST(COALESCE(modelctl_repaired(\(value)), \(value)) AS TEXT)"
    }
  }

  /// The same of a number that a text gave: a finite one, but maybe beyond the bounds of the type.
  private func appliedToNumber(_ number: SQLStatement) -> SQLStatement {
    switch self {
    case .single:
      "CASE WHEN \(Self.isBeyondSingle(number)) THEN modelctl_single(\(number)) ELSE \(applied(to: number)) END"
    case .numeric: "MIN(MAX(\(number), \(.real(-Self.decimalBound))), \(.real(Self.decimalBound)))"
    default: applied(to: number)
    }
  }

  /// The greatest power of ten among decimal numbers, which have 38 digits and an exponent up to 127.
  private static let decimalBound = 1e165

  /// A condition that holds for values that the conversion does not keep, nil if it keeps all.
  func loses(_ value: SQLStatement) -> SQLStatement? {
    switch self {
    case .none, .text, .textFromNumber, .bytes: nil
    case .digits: "NOT modelctl_keeps(\(Self.bytes(value)), \(applied(to: value)))"
    case .uriFromText: "NOT modelctl_uri(\(Self.bytes(value)))"
    case .textFromBytes: "modelctl_repaired(\(value)) IS NOT NULL"
    case .textFromDate:
      """
      \(Self.isNoNumber(value)) OR CAST(\(value) AS REAL) < \(.integer(ISO8601Date.firstSecond)) \
      OR CAST(\(value) AS REAL) >= \(.integer(ISO8601Date.endSecond))
      """
    case .readAsSingle: Self.isBeyondSingle(value)
    case .single: "\(Self.isNoNumber(value)) OR \(Self.isBeyondSingle(value))"
    case .integer: "CAST(\(value) AS NUMERIC) <> \(applied(to: value)) OR \(Self.isNoNumber(value))"
    case .boolean: "CAST(\(value) AS NUMERIC) NOT IN (0, 1) OR \(Self.isNoNumber(value))"
    case .real:
      "\(Self.isNoNumber(value)) OR (typeof(\(value)) = 'integer' AND CAST(CAST(\(value) AS REAL) AS INTEGER) <> \(value))"
    case .numeric: Self.isNoNumber(value)
    case .dateFromText: "NOT modelctl_keeps_date(\(Self.bytes(value)))"
    case .uuidFromText: "\(applied(to: value)) IS NULL"
    case .textFromUUID, .uuidFromBytes: "length(\(Self.bytes(value))) <> 16"
    }
  }

  /// Holds for a whole number that a float of half the size does not hit, and for a number beyond its bounds; fractions
  /// are rounded as Core Data rounds them.
  private static func isBeyondSingle(_ value: SQLStatement) -> SQLStatement {
    """
    (modelctl_float(CAST(\(value) AS REAL)) IS NULL OR (typeof(\(value)) = 'integer' \
    AND CAST(modelctl_float(CAST(\(value) AS REAL)) AS INTEGER) <> \(value)))
    """
  }

  /// Holds for a text that is not a number as a whole: beside a number SQLite compares such a text as a text.
  private static func isNoNumber(_ value: SQLStatement) -> SQLStatement {
    "(typeof(\(value)) IN ('text', 'blob') AND CAST(\(value) AS NUMERIC) <> trim(\(value)))"
  }

  /// A text as its bytes, which a function gets completely, including those after a zero byte.
  private static func bytes(_ value: SQLStatement) -> SQLStatement { "CAST(\(value) AS BLOB)" }
}

extension AttributeMapping.Step {
  /// False for a step that leaves the value as SQLite keeps it.
  var changesStoredValue: Bool {
    switch self {
    case .replaceNil, .externalStorage: true
    case .convert(let from, let to): ValueConversion(from: from, to: to).changesStoredValue
    }
  }

  func applied(to value: SQLStatement) -> SQLStatement {
    switch self {
    case .replaceNil(let replacement): "COALESCE(\(value), \(SQLValue(replacement)))"
    case .convert(let from, let to): ValueConversion(from: from, to: to).applied(to: value)
    case .externalStorage(allowed: true): "CAST(\(.blob([1])) || \(value) AS BLOB)"
    case .externalStorage(allowed: false): "modelctl_external_data(\(value))"
    }
  }

  /// A default as an attribute's column keeps it.
  static func stored(_ value: AttributeValue, in attribute: AttributeDescription) -> SQLStatement {
    let plain: SQLStatement = "\(SQLValue(value))"
    return attribute.allowsExternalBinaryDataStorage ? externalStorage(allowed: true).applied(to: plain) : plain
  }
}
