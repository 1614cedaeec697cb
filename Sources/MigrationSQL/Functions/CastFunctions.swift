import Foundation
import GRDB
import MappingModels
import ModelDescription

/// The SQL functions by which a value of one type becomes one of another where SQLite's own conversions lose something.
///
/// Texts come as their bytes: SQLite hands a text over up to its first zero byte.
enum CastFunctions {
  /// The functions, made once for all connections.
  static let all: [DatabaseFunction] = [
    ofBytes("modelctl_number") { bytes in number(bytes) },
    ofBytes("modelctl_date") { bytes in ISO8601Date.seconds(in: bytes)?.double },
    ofBytes("modelctl_keeps_date") { bytes in keepsDate(bytes) },
    ofBytes("modelctl_uri") { bytes in isURI(bytes) },
    ofBytes("modelctl_repaired") { bytes in repaired(bytes) },
    DatabaseFunction("modelctl_keeps", argumentCount: 2, pure: true) { values in
      guard let bytes = Data.fromDatabaseValue(values[0]), let numeral = DecimalNumeral(bytes) else { return false }
      return numeral == DecimalNumeral("\(values[1].storage.value ?? "")".utf8)
    },
    DatabaseFunction("modelctl_single", argumentCount: 1, pure: true) { values in
      number(values[0]).map { single($0).databaseValue } ?? values[0]
    },
    DatabaseFunction("modelctl_date_text", argumentCount: 1, pure: true) { values in
      number(values[0]).map { dateText($0).databaseValue } ?? values[0]
    },
  ]

  /// A value that is stored as a number; nil for any other.
  private static func number(_ value: DatabaseValue) -> Double? {
    switch value.storage {
    case .int64(let integer): Double(integer)
    case .double(let number): number
    case .null, .string, .blob: nil
    }
  }

  /// A function of bytes, which has no value where there are none.
  private static func ofBytes(
    _ name: String, _ value: @escaping @Sendable (Data) -> (any DatabaseValueConvertible)?
  ) -> DatabaseFunction {
    DatabaseFunction(name, argumentCount: 1, pure: true) { values in
      Data.fromDatabaseValue(values[0]).flatMap(value)
    }
  }

  /// The number that a text begins with, as a whole one where it is; 0 for none, as SQLite has it.
  private static func number(_ text: Data) -> DatabaseValue {
    guard let numeral = DecimalNumeral(leading: text) else { return 0.databaseValue }
    if let integer = numeral.integer { return integer.databaseValue }
    let bound = Double.greatestFiniteMagnitude
    return min(max(numeral.double ?? 0, -bound), bound).databaseValue
  }

  /// What Core Data reads as a value of half the size, at the bounds where it is beyond them.
  private static func single(_ number: Double) -> Double {
    let bound = Float.greatestFiniteMagnitude
    return Double(min(max(Float(number), -bound), bound))
  }

  /// False for a text that is no date, and for one whose digits a number of seconds does not give back.
  private static func keepsDate(_ text: Data) -> Bool {
    guard let moment = ISO8601Date.seconds(in: text), let seconds = moment.double else { return false }
    return moment == DecimalNumeral(seconds.description.utf8)
  }

  private static func dateText(_ seconds: Double) -> String {
    ISO8601Date.exactText(of: seconds) ?? "\(seconds) seconds after 2001-01-01"
  }

  /// True for what is accepted as a URI elsewhere, such as by `--fill`.
  private static func isURI(_ text: Data) -> Bool {
    guard let text = String(data: text, encoding: .utf8) else { return false }
    return (try? AttributeValue.parse(text, as: .uri)) != nil
  }

  /// UTF-8 with U+FFFD in place of bytes that are none, nil when there are no such bytes.
  private static func repaired(_ bytes: Data) -> Data? {
    String(validating: bytes, as: UTF8.self) == nil ? Data(String(decoding: bytes, as: UTF8.self).utf8) : nil
  }
}
