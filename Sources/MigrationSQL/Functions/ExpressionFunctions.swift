import Foundation
package import GRDB
import ModelDescription

/// The SQL functions and collations of compiled expressions, with the semantics of `NSPredicate` and `NSString`.
///
/// If an expression lacks a value for a row, they stop the statement with an error that names the row.
package struct ExpressionFunctions {
  /// The functions, created once for all connections.
  private static let functions: [RowFunction] =
    [
      function("modelctl_length", 1) { values in values[0].text.map { $0.utf16.count } },
      stored("modelctl_stored", dropsFraction: true),
      stored("modelctl_written", dropsFraction: false),
      function("modelctl_cast", 6) { values in
        guard !values[0].isNull, let name = values[1].text else { return nil }
        return try ValueCast(name: name, kind: values[2].text ?? "").value(of: values[0], RowLocation(values[3...]))
      },
    ] + stringFunctions + numberFunctions

  private static let sum = DatabaseFunction("modelctl_sum", argumentCount: 4, aggregate: WholeSum.self)
  private static let byName = Dictionary(functions.map { ($0.name, $0) }) { first, _ in first }

  /// Returns the value of a function, for callers that evaluate without SQL.
  package static func call(_ name: String, _ arguments: [DatabaseValue]) throws -> DatabaseValue {
    guard let function = byName[name] else { return .null }
    return try function.value(arguments)
  }

  private static let collations = StringCollation.allCases.map { collation in
    DatabaseCollation(collation.name) { collation.compare($0, $1) }
  }

  /// Adds them to a connection, beside ``ConversionFunctions``.
  package static func register(in database: Database) {
    for collation in collations { database.add(collation: collation) }
    for function in functions { function.register(in: database) }
    database.add(function: sum)
    matching.register(in: database)
  }

  private static func stored(_ name: String, dropsFraction: Bool) -> RowFunction {
    function(name, 5) { values in
      let stored = GivenValue(type: AttributeType(name: values[1].text ?? ""), dropsFraction: dropsFraction)
      return try stored.value(of: values[0], RowLocation(values[2...]))
    }
  }

  static func function(
    _ name: String, _ count: Int,
    _ value: @escaping @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?
  ) -> RowFunction {
    RowFunction(name: name, argumentCount: count, call: value)
  }

  /// Arithmetic that can fail; without a number there is no result, even if the other number is valid.
  static let numberFunctions: [RowFunction] = [
    function("modelctl_zero", 4) { values in
      guard !values[0].isNull else { return nil }
      throw RowLocation(values[1...]).failure(.divisionByZero)
    },
    function("modelctl_whole", 4) { values in
      guard case .double = values[0].storage else { return values[0] }
      throw RowLocation(values[1...]).failure(.overflow)
    },
    function("modelctl_absolute", 4) { values in
      guard let number = Int64.fromDatabaseValue(values[0]) else { return nil }
      guard number != .min else { throw RowLocation(values[1...]).failure(.overflow) }
      return abs(number)
    },
    function("modelctl_integer", 6) { try integer($0) },
    function("modelctl_quotient", 5) { values in
      try whole(values) { $0.dividedReportingOverflow(by: $1) }
    },
    function("modelctl_modulus", 5) { values in
      try whole(values) { $1 == -1 ? (0, false) : $0.remainderReportingOverflow(dividingBy: $1) }
    },
    function("modelctl_ratio", 5) { values in
      guard let (first, second) = numbers(values) else { return nil }
      guard second != 0 else { throw RowLocation(values[2...]).failure(.divisionByZero) }
      return first / second
    },
    function("modelctl_power", 5) { values in
      guard let (first, second) = numbers(values) else { return nil }
      return try finite(pow(first, second), values[2...]) { .noPower(first, exponent: second) }
    },
    function("modelctl_real", 5) { values in
      guard let name = values[0].text, let number = Double.fromDatabaseValue(values[1]) else { return nil }
      return try finite(real(name, number), values[2...]) { .noResult(function: name, argument: number) }
    },
  ]

  private static func real(_ name: String, _ number: Double) -> Double {
    switch name {
    case "trunc": number.rounded(.towardZero)
    case "floor": number.rounded(.down)
    case "ceiling": number.rounded(.up)
    case "sqrt": number.squareRoot()
    case "ln": log(number)
    case "log": log10(number)
    case "exp": exp(number)
    default: .nan
    }
  }

  private static func numbers(_ values: [DatabaseValue]) -> (Double, Double)? {
    guard let first = Double.fromDatabaseValue(values[0]), let second = Double.fromDatabaseValue(values[1]) else {
      return nil
    }
    return (first, second)
  }

  private static func finite(
    _ number: Double, _ place: ArraySlice<DatabaseValue>, _ cause: () -> RowValueError.Cause
  ) throws -> Double {
    guard number.isFinite else { throw RowLocation(place).failure(cause()) }
    return number
  }

  private static func whole(
    _ values: [DatabaseValue], _ divide: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) throws -> Int64? {
    guard let first = Int64.fromDatabaseValue(values[0]), let second = Int64.fromDatabaseValue(values[1]) else {
      return nil
    }
    guard second != 0 else { throw RowLocation(values[2...]).failure(.divisionByZero) }
    let (result, overflows) = divide(first, second)
    guard !overflows else { throw RowLocation(values[2...]).failure(.overflow) }
    return result
  }

  /// A number without its fraction, within bounds.
  private static func integer(_ values: [DatabaseValue]) throws -> Int64? {
    let place = RowLocation(values[3...])
    let number: Int64
    switch values[0].storage {
    case .null: return nil
    case .int64(let value): number = value
    case .double(let value):
      guard let whole = Int64(exactly: value.rounded(.towardZero)) else { throw place.failure(.beyondBounds(value)) }
      number = whole
    case .string, .blob: throw place.failure(.notANumber)
    }
    guard let least = Int64.fromDatabaseValue(values[1]), let greatest = Int64.fromDatabaseValue(values[2]),
      (least...max(least, greatest)).contains(number)
    else { throw place.failure(.unfit(number)) }
    return number
  }
}

extension DatabaseValue {
  package var text: String? { if case .string(let text) = storage { text } else { nil } }
}

/// `@sum` of 64-bit integers: a sum that overflows stops the statement and names the row.
package struct WholeSum: DatabaseAggregate {
  package private(set) var sum: Int64 = 0

  package init() {}

  package mutating func step(_ values: [DatabaseValue]) throws {
    try RowValueError.reported { try add(values[0], RowLocation(values[1...])) }
  }

  package mutating func add(_ value: DatabaseValue, _ place: @autoclosure () -> RowLocation) throws {
    guard let number = Int64.fromDatabaseValue(value) else { return }
    let (next, overflows) = sum.addingReportingOverflow(number)
    guard !overflows else { throw place().failure(.overflow) }
    sum = next
  }

  package func finalize() -> (any DatabaseValueConvertible)? { sum }
}
