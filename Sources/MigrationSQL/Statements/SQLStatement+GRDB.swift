import Foundation
package import GRDB

extension SQLStatement {
  /// The values as GRDB binds them.
  package var databaseArguments: StatementArguments {
    StatementArguments(arguments.map(\.argument))
  }

  /// Runs the statement.
  package func execute(in database: Database) throws {
    try database.execute(sql: text, arguments: databaseArguments)
  }
}

extension SQLValue {
  /// What is bound for the value's ``mark``: the bytes of a text with NUL, which GRDB would cut there.
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
