package import Foundation
package import GRDB
import MappingModels
import ModelDescription
import PersistentStores

/// The SQL functions that plans use and SQLite lacks.
package struct ConversionFunctions {
  /// The folder of the store's external data files, such as `.Orders_SUPPORT/_EXTERNAL_DATA`.
  package let externalDataFolder: URL

  /// Creates the functions for a single store.
  ///
  /// - Parameter store: the path of the store, next to its folder of external data.
  package init(store: String) { externalDataFolder = URL(fileURLWithPath: ExternalData.folder(ofStore: store)) }

  /// The functions that are the same for every store, created once for all connections.
  private static let functions: [DatabaseFunction] =
    [
      DatabaseFunction("modelctl_uuid", argumentCount: 1, pure: true) { uuid($0[0]) },
      DatabaseFunction("modelctl_float", argumentCount: 1, pure: true) { values in
        Double.fromDatabaseValue(values[0]).map { Double(Float($0)) }.flatMap { $0.isFinite ? $0 : nil }
      },
      DatabaseFunction("modelctl_text", argumentCount: 1, pure: true) { values in
        switch values[0].storage {
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        default: values[0]
        }
      },
      DatabaseFunction("modelctl_history_columns", argumentCount: 2, pure: true) { values in
        guard let bits = Data.fromDatabaseValue(values[0]), let places = String.fromDatabaseValue(values[1]) else {
          return values[0]
        }
        return moved(bits, to: places)
      },
    ] + CastFunctions.all

  package func register(in database: Database) {
    ExpressionFunctions.register(in: database)
    for function in Self.functions { database.add(function: function) }
    for function in TextFunction.all { function.register(in: database) }
    database.add(
      function: DatabaseFunction("modelctl_external_data", argumentCount: 1) { try self.externalData($0[0]) })
    placed.register(in: database)
  }

  /// The function for expressions, which also takes the row, so that an error names the object.
  private var placed: RowFunction {
    RowFunction(name: "modelctl_external_data", argumentCount: 4) { values in
      do {
        return try self.externalData(values[0])
      } catch let error as ExternalDataError {
        throw RowLocation(values[1...]).failure(.externalData(error))
      }
    }
  }

  /// Returns binary data without the mark of external storage, for callers that evaluate without SQL.
  package func unmarked(_ value: DatabaseValue, at place: [DatabaseValue]) throws -> DatabaseValue {
    try placed.value([value] + place)
  }

  /// Moves bits to other positions.
  ///
  /// - Parameter places: the old positions for each new bit, which is set if one of them is set. Commas separate bits,
  ///   and plus signs separate positions, as in `1,,0+3`.
  private static func moved(_ bits: Data, to places: String) -> Data {
    let old = [UInt8](bits)
    var (moved, position, place) = ([UInt8(0)], 0, Int?.none)
    func settle() {
      guard let place, old.indices.contains(place / 8), old[place / 8] & (0x80 >> (place % 8)) != 0 else { return }
      moved[position / 8] |= 0x80 >> (position % 8)
    }
    for unit in places.utf8 {
      switch unit {
      case UInt8(ascii: ","):
        settle()
        (place, position) = (nil, position + 1)
        if position % 8 == 0 { moved.append(0) }
      case UInt8(ascii: "+"):
        settle()
        place = nil
      default: place = (place ?? 0) &* 10 &+ Int(unit &- UInt8(ascii: "0"))
      }
    }
    settle()
    return Data(moved)
  }

  /// The 16 bytes of a UUID's text, nil for any other text.
  private static func uuid(_ value: DatabaseValue) -> Data? {
    guard let text = String.fromDatabaseValue(value) else { return nil }
    let digits = text.filter { $0 != "-" && $0 != "{" && $0 != "}" }
    guard digits.utf8.count == 32, digits.allSatisfy(\.isHexDigit) else { return nil }
    var bytes = Data()
    var rest = digits[...]
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  /// Returns the value without the form of external storage: a mark 1 and the value, or a mark 2 and a file's name.
  private func externalData(_ value: DatabaseValue) throws -> Data? {
    guard let data = Data.fromDatabaseValue(value) else { return nil }
    guard data.first == 2 else { return data.first == 1 ? Data(data.dropFirst()) : data }
    guard let name = ExternalData.fileName(in: data) else { throw ExternalDataError.notAName(byteCount: data.count) }
    guard let data = ExternalData.content(ofFile: externalDataFolder.appendingPathComponent(name).path) else {
      throw ExternalDataError.unreadable(name, folder: externalDataFolder.path)
    }
    return data
  }
}

/// The reason that a value in an external file cannot be read.
enum ExternalDataError: Error, Hashable, CustomStringConvertible {
  case notAName(byteCount: Int)
  case unreadable(String, folder: String)

  var description: String {
    switch self {
    case .notAName(let byteCount):
      "a value of \(byteCount) bytes is marked as the name of a file, but is not a file name"
    case .unreadable(let name, let folder): "the external data file \(name) is not in \(folder)"
    }
  }
}

/// The SQL functions that convert values if SQLite's own conversions lose information.
///
/// Texts are passed as bytes, because SQLite passes a text only up to its first zero byte.
enum CastFunctions {
  /// The functions, created once for all connections.
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

  /// Returns a function of bytes, which lacks a value without bytes.
  private static func ofBytes(
    _ name: String, _ value: @escaping @Sendable (Data) -> (any DatabaseValueConvertible)?
  ) -> DatabaseFunction {
    DatabaseFunction(name, argumentCount: 1, pure: true) { values in
      Data.fromDatabaseValue(values[0]).flatMap(value)
    }
  }

  /// Returns the number at the beginning of a text, as an integer if possible; 0 if there is no number, as in SQLite.
  private static func number(_ text: Data) -> DatabaseValue {
    guard let numeral = DecimalNumeral(leading: text) else { return 0.databaseValue }
    if let integer = numeral.integer { return integer.databaseValue }
    let bound = Double.greatestFiniteMagnitude
    return min(max(numeral.double ?? 0, -bound), bound).databaseValue
  }

  /// Returns the number as Core Data reads it in single precision, limited to the bounds.
  private static func single(_ number: Double) -> Double {
    let bound = Float.greatestFiniteMagnitude
    return Double(min(max(Float(number), -bound), bound))
  }

  /// False for a text that is not a date, and for a date whose digits do not survive the conversion to seconds.
  private static func keepsDate(_ text: Data) -> Bool {
    guard let moment = ISO8601Date.seconds(in: text), let seconds = moment.double else { return false }
    return moment == DecimalNumeral(seconds.description.utf8)
  }

  private static func dateText(_ seconds: Double) -> String {
    ISO8601Date.exactText(of: seconds) ?? "\(seconds) seconds after 2001-01-01"
  }

  /// True for a text that is accepted as a URI elsewhere, such as in a value to fill an attribute.
  private static func isURI(_ text: Data) -> Bool {
    guard let text = String(data: text, encoding: .utf8) else { return false }
    return (try? AttributeValue.parse(text, as: .uri)) != nil
  }

  /// Returns UTF-8 with U+FFFD for invalid bytes; nil if all bytes are valid.
  private static func repaired(_ bytes: Data) -> Data? {
    String(validating: bytes, as: UTF8.self) == nil ? Data(String(decoding: bytes, as: UTF8.self).utf8) : nil
  }
}
