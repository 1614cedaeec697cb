import ModelDescription

/// How a stored value of one type becomes one of another in SQL.
enum ValueConversion: Hashable {
  /// The stored value is the same.
  case none
  /// A number, or a text that is one, becomes a whole number within bounds; fractions are cut off.
  case integer(minimum: Int64, maximum: Int64)
  /// Zero stays, every other number becomes one.
  case boolean
  /// A number, or a text that is one, becomes a floating-point number.
  case real
  /// A number, or a text that is one, becomes a floating-point number of half the size; the stored digits stay.
  case single
  /// A floating-point number stays as it is stored and is read with half its size.
  case readAsSingle
  /// A number, or a text that is one, becomes an exact number.
  case numeric
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
  /// 16 bytes become the text of a UUID.
  case textFromUUID
  /// A text becomes its UTF-8 bytes.
  case bytes

  init(from source: AttributeType, to destination: AttributeType) {
    if source == .double, destination == .float {
      self = .readAsSingle
    } else {
      self = Self.keepsStoredValue(source, destination) ? .none : Self.conversion(from: source, to: destination)
    }
  }

  /// False when the value stays as it is stored.
  var changesStoredValue: Bool { self != .none && self != .readAsSingle }

  private static func keepsStoredValue(_ source: AttributeType, _ destination: AttributeType) -> Bool {
    if source == destination { return true }
    switch destination {
    case .integer16: return source == .boolean
    case .integer32: return source == .boolean || source == .integer16
    case .integer64: return source == .boolean || source == .integer16 || source == .integer32
    case .double: return source == .float
    case .string: return source == .uri
    case .uri: return source == .string
    case .binary, .transformable: return source == .binary || source == .transformable || source == .uuid
    default: return false
    }
  }

  private static func conversion(from source: AttributeType, to destination: AttributeType) -> ValueConversion {
    switch destination {
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
    case .string, .uri: .text
    case .uuid where source == .string: .uuidFromText
    case .binary, .transformable, .uuid: .bytes
    case .undefined, .objectID, .composite, .unrecognized: .none
    }
  }

  func applied(to value: SQLStatement) -> SQLStatement {
    switch self {
    case .none, .readAsSingle: value
    case .integer(let minimum, let maximum) where minimum == .min && maximum == .max: "CAST(\(value) AS INTEGER)"
    case .integer(let minimum, let maximum):
      "MIN(MAX(CAST(\(value) AS INTEGER), \(.integer(minimum))), \(.integer(maximum)))"
    case .boolean: "CAST(\(value) AS NUMERIC) <> 0"
    case .real, .single: "CAST(\(value) AS REAL)"
    case .textFromNumber: "modelctl_text(\(value))"
    case .numeric: "CAST(\(value) AS NUMERIC)"
    case .text: "CAST(\(value) AS TEXT)"
    case .bytes: "CAST(\(value) AS BLOB)"
    case .dateFromText:
      """
      CAST(strftime('%s', \(value)) AS INTEGER) - 978307200 \
      + (strftime('%f', \(value)) - CAST(strftime('%S', \(value)) AS INTEGER))
      """
    case .textFromDate: "strftime('%Y-%m-%dT%H:%M:%fZ', \(value) + 978307200, 'unixepoch')"
    case .uuidFromText: "modelctl_uuid(\(value))"
    case .textFromUUID:
      """
      CASE WHEN \(value) IS NOT NULL THEN substr(hex(\(value)), 1, 8) || '-' || substr(hex(\(value)), 9, 4) || '-' || substr(hex(\(value)), 13, 4) \
      || '-' || substr(hex(\(value)), 17, 4) || '-' || substr(hex(\(value)), 21, 12) END
      """
    }
  }

  /// A condition that holds for values that the conversion does not keep, nil when it keeps all.
  func loses(_ value: SQLStatement) -> SQLStatement? {
    switch self {
    case .none, .text, .textFromNumber, .bytes, .textFromDate: nil
    case .readAsSingle: Self.isBeyondSingle(value)
    case .single: "\(Self.isNoNumber(value)) OR \(Self.isBeyondSingle(value))"
    case .integer: "CAST(\(value) AS NUMERIC) <> \(applied(to: value)) OR \(Self.isNoNumber(value))"
    case .boolean: "CAST(\(value) AS NUMERIC) NOT IN (0, 1) OR \(Self.isNoNumber(value))"
    case .real:
      "\(Self.isNoNumber(value)) OR (typeof(\(value)) = 'integer' AND CAST(CAST(\(value) AS REAL) AS INTEGER) <> \(value))"
    case .numeric: Self.isNoNumber(value)
    case .dateFromText: "\(applied(to: value)) IS NULL OR \(Self.isNoDate(value))"
    case .uuidFromText: "\(applied(to: value)) IS NULL"
    case .textFromUUID: "length(\(value)) <> 16"
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

  /// Holds for a text that does not begin with a day of the calendar; SQLite also takes `now`, numbers, bare times and
  /// the 31st of every month.
  private static func isNoDate(_ value: SQLStatement) -> SQLStatement {
    """
    \(value) NOT GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' \
    OR date(substr(\(value), 1, 10), '+0 days') <> substr(\(value), 1, 10)
    """
  }
}
