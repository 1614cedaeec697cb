package import GRDB
import MappingModels
import ModelDescription
import PersistentStores

/// The reason that an expression lacks a value for a row.
///
/// The error stops the statement and undoes its changes.
struct RowValueError: Error, Hashable {
  /// The cause of the error.
  enum Cause: Hashable {
    case divisionByZero
    /// A number does not fit 64 bits.
    case overflow
    /// A mathematical function lacks a result for its arguments.
    case noPower(Double, exponent: Double)
    case noResult(function: String, argument: Double)

    // A value that the attribute cannot have
    case beyondBounds(Double)
    case unfit(Int64)
    case notANumber
    case fraction(Double, AttributeType)
    case unfitForType(Int64, AttributeType)
    case otherType(DatabaseValue, AttributeType)

    // CAST
    case text(AttributeValueParseError)
    case bytesOfNoClass(count: Int, name: String)
    case numberOfNoClass(name: String)
    case bytesWithoutText(count: Int)
    case yearOutOfRange(seconds: Double)

    // MATCHES
    case pattern(RegularExpressions.PatternError)

    // Binary data in a file
    case externalData(ExternalDataError)
  }

  let cause: Cause
  let entity: String
  /// The `Z_PK` of the source row; nil if it is unknown.
  let key: Int64?
  let expression: String

  /// Runs a function for SQLite, and turns its error into a result code for an expression without value.
  static func reported<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as RowValueError {
      throw DatabaseError(resultCode: .noValue, message: error.description)
    }
  }
}

extension RowValueError: CustomStringConvertible {
  var description: String {
    let row = key.map { "\(entity) with Z_PK \($0)" } ?? entity
    return "\(row): \(expression): \(cause)"
  }
}

extension RowValueError.Cause: CustomStringConvertible {
  var description: String {
    switch self {
    case .divisionByZero: "the divisor is zero"
    case .overflow: "the number does not fit 64 bits"
    case .noPower(let base, let exponent): "\(base) to the power of \(exponent) is not a number"
    case .noResult(let function, let argument): "\(function) of \(argument) is not a number"
    case .beyondBounds(let number): "\(number) does not fit"
    case .unfit(let number): "\(number) does not fit the attribute"
    case .notANumber: "the stored value is not a number"
    case .fraction(let number, let type):
      "\(number) has a fraction, and the attribute is of type \(type.name); use CAST(… AS INTEGER) or round it"
    case .unfitForType(let number, let type): "\(number) does not fit an attribute of type \(type.name)"
    case .otherType(let value, let type): "\(value.shown) is not a valid \(type.name)"
    case .text(let error): error.description
    case .bytesOfNoClass(let count, let name): "\(count) bytes are not a value of \(name)"
    case .numberOfNoClass(let name): "a number is not a value of \(name)"
    case .bytesWithoutText(let count): "\(count) bytes have no text"
    case .yearOutOfRange(let seconds): "\(seconds) seconds since 2001 is not a date with a year of four digits"
    case .pattern(let failure): failure.description
    case .externalData(let error): error.description
    }
  }
}

extension DatabaseValue {
  fileprivate var shown: String {
    switch storage {
    case .null: "NULL"
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): "the text “\(text.prefix(80))”"
    case .blob(let data): "data of \(data.count) bytes"
    }
  }
}

/// The row and the expression of a computation: the last three arguments of a function that can fail.
package struct RowLocation {
  private let key: Int64?
  private let entity: String
  private let expression: String

  /// Reads the key, the entity and the expression.
  package init(_ arguments: ArraySlice<DatabaseValue>) {
    let values = Array(arguments)
    key = values.first.flatMap { Int64.fromDatabaseValue($0) }
    entity = values.count > 1 ? values[1].text ?? "" : ""
    expression = values.last?.text ?? ""
  }

  /// The error of a number that does not fit 64 bits.
  package var overflow: any Error { failure(.overflow) }

  func failure(_ cause: RowValueError.Cause) -> RowValueError {
    RowValueError(cause: cause, entity: entity, key: key, expression: expression)
  }
}
