import Foundation
package import GRDB
import PersistentStores

/// A piece of SQL with separate values: names are always quoted, and values are always arguments.
///
/// Write it as a string with interpolations: `"DELETE FROM \(name: table) WHERE Z_ENT = \(.number(3))"`.
public struct SQLStatement: Hashable, Sendable, ExpressibleByStringInterpolation {
  fileprivate enum Segment: Hashable, Sendable {
    case text(String)
    case value(SQLValue)
  }

  fileprivate var segments: [Segment]

  /// Creates SQL without values.
  public init(stringLiteral text: String) { segments = [.text(text)] }

  /// Creates SQL with its names and values.
  public init(stringInterpolation: StringInterpolation) { segments = stringInterpolation.segments }

  /// Creates SQL from a text whose names are already quoted, such as a `CREATE` statement.
  package init(verbatim text: String) { segments = [.text(text)] }

  /// The SQL with a question mark for every value.
  public var text: String {
    segments.map { segment in
      switch segment {
      case .text(let text): text
      case .value(let value): value.mark
      }
    }.joined()
  }

  /// The values in the order of their question marks.
  public var arguments: [SQLValue] { segments.compactMap { if case .value(let value) = $0 { value } else { nil } } }

  /// The SQL with its values as literals, for readers and for the sqlite3 shell.
  public var rendered: String {
    segments.map { segment in
      switch segment {
      case .text(let text): text
      case .value(let value): value.literal
      }
    }.joined()
  }

  /// The SQL with its values as literals, in which long binary values are shortened.
  public var shortened: String {
    segments.map { segment in
      switch segment {
      case .text(let text): text
      case .value(let value): value.shortLiteral
      }
    }.joined()
  }

  /// Collects the parts of an interpolated string.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var segments: [Segment] = []

    /// Starts a collection.
    public init(literalCapacity: Int, interpolationCount: Int) { segments.reserveCapacity(interpolationCount * 2 + 1) }

    /// Appends SQL of the program.
    public mutating func appendLiteral(_ literal: String) { if !literal.isEmpty { segments.append(.text(literal)) } }

    /// Appends a name of a table, column or index, quoted.
    public mutating func appendInterpolation(name: String) { segments.append(.text(SQLIdentifier(name).quoted)) }

    /// Appends a value as an argument.
    public mutating func appendInterpolation(_ value: SQLValue) { segments.append(.value(value)) }

    /// Appends another piece with its values.
    public mutating func appendInterpolation(_ piece: SQLStatement) { segments.append(contentsOf: piece.segments) }
  }
}

extension Sequence where Element == SQLStatement {
  /// Joins pieces with a separator between them.
  package func joined(_ separator: SQLStatement = ", ") -> SQLStatement {
    var isFirst = true
    return reduce(into: SQLStatement(verbatim: "")) { joined, piece in
      if isFirst {
        joined = piece
      } else {
        joined.segments += separator.segments
        joined.segments += piece.segments
      }
      isFirst = false
    }
  }
}

extension SQLStatement {
  /// A list of numbers for `IN (…)`, in ascending order.
  package static func list(_ numbers: some Sequence<Int>) -> SQLStatement {
    numbers.sorted().map { "\(.number($0))" as SQLStatement }.joined()
  }

  package static func names(_ names: some Sequence<String>) -> SQLStatement {
    names.map { "\(name: $0)" as SQLStatement }.joined()
  }

  /// Returns the position of an element in an ordered list: 2048 for the first element, and 1024 more for each further
  /// element.
  ///
  /// In measured stores that Core Data wrote, every list that only grew at its end has these positions.
  ///
  /// - Parameter number: the number of the element, from 1.
  package static func place(ofElement number: SQLStatement) -> SQLStatement { "(\(number) + 1) * \(.number(1024))" }

  /// Returns the position of an element that is appended to an ordered list.
  ///
  /// - Parameters:
  ///   - number: the number of the element among the appended elements, from 1.
  ///   - last: the last position of the list; NULL for an empty list.
  package static func place(ofElement number: SQLStatement, after last: SQLStatement) -> SQLStatement {
    "IFNULL(\(last), \(.number(1024))) + \(.number(1024)) * \(number)"
  }

  /// The values as GRDB binds them.
  package var databaseArguments: StatementArguments { StatementArguments(arguments.map(\.argument)) }

  package func execute(in database: Database) throws { try database.execute(sql: text, arguments: databaseArguments) }
}

extension SQLValue {
  /// The value to bind for the value's ``mark``: the bytes of a text with NUL, which GRDB would shorten.
  package var argument: DatabaseValue {
    guard hasNUL, case .text(let text) = self else { return databaseValue }
    return Data(text.utf8).databaseValue
  }

  package var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }
}
