import GRDB

/// A function of stored values: SQL calls it by its name, and an evaluation in memory calls the same.
struct RowFunction: Sendable {
  let name: String
  let argumentCount: Int
  let call: @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?

  /// The function as SQLite registers it.
  var registered: DatabaseFunction {
    DatabaseFunction(name, argumentCount: argumentCount, pure: true) { [call] arguments in
      try RowValueError.reported { try call(arguments) }
    }
  }

  /// What it gives; a number that is none is no value, as SQLite has it.
  func value(_ arguments: [DatabaseValue]) throws -> DatabaseValue {
    (try call(arguments)?.databaseValue ?? .null).settled
  }
}

extension DatabaseValue {
  /// The value as SQLite keeps it: NaN is NULL.
  var settled: DatabaseValue {
    if case .double(let number) = storage, number.isNaN { .null } else { self }
  }
}
