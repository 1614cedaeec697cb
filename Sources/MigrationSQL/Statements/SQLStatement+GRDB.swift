import Foundation
package import GRDB

extension SQLStatement {
  /// The values as GRDB binds them.
  package var databaseArguments: StatementArguments {
    StatementArguments(arguments.map(\.databaseValue))
  }

  /// Runs the statement.
  package func execute(in database: Database) throws {
    try database.execute(sql: text, arguments: databaseArguments)
  }
}

extension SQLValue {
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
