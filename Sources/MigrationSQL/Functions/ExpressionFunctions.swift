package import GRDB
import ModelDescription

/// The SQL functions and collations that compiled expressions use, with the semantics of `NSPredicate` and `NSString`.
///
/// Where an expression has no value for a row they stop the statement with an error that names the row.
package struct ExpressionFunctions {
  /// The functions, made once for all connections.
  private static let functions: [RowFunction] =
    [
      function("modelctl_length", 1) { values in values[0].text.map { $0.utf16.count } },
      stored("modelctl_stored", dropsFraction: true),
      stored("modelctl_written", dropsFraction: false),
      function("modelctl_cast", 6) { values in
        guard !values[0].isNull, let name = values[1].text else { return nil }
        return try ValueCast(name: name, kind: values[2].text ?? "").value(of: values[0], RowPlace(values[3...]))
      },
    ] + stringFunctions + numberFunctions

  private static let sum = DatabaseFunction("modelctl_sum", argumentCount: 4, aggregate: WholeSum.self)
  private static let byName = Dictionary(functions.map { ($0.name, $0) }) { first, _ in first }

  /// What a function gives, for those who evaluate without SQL.
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
      return try stored.value(of: values[0], RowPlace(values[2...]))
    }
  }

  static func function(
    _ name: String, _ count: Int,
    _ value: @escaping @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?
  ) -> RowFunction {
    RowFunction(name: name, argumentCount: count, call: value)
  }
}

extension DatabaseValue {
  /// The text, nil for every other value.
  package var text: String? { if case .string(let text) = storage { text } else { nil } }
}

/// `@sum` of whole numbers of 64 bits: a sum that leaves them stops the statement and names the row.
package struct WholeSum: DatabaseAggregate {
  package private(set) var sum: Int64 = 0

  package init() {}

  package mutating func step(_ values: [DatabaseValue]) throws {
    try RowValueError.reported { try add(values[0], RowPlace(values[1...])) }
  }

  package mutating func add(_ value: DatabaseValue, _ place: @autoclosure () -> RowPlace) throws {
    guard let number = Int64.fromDatabaseValue(value) else { return }
    let (next, overflows) = sum.addingReportingOverflow(number)
    guard !overflows else { throw place().failure(.overflow) }
    sum = next
  }

  package func finalize() -> (any DatabaseValueConvertible)? { sum }
}
