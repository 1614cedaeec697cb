public import MappingModels
public import PersistentStores

/// Why what a mapping says of a value has no SQL.
public enum ExpressionError: Error, Hashable, Sendable {
  /// The expression means nothing for these models.
  case type(ExpressionTypeError)
  /// The expression is sound and cannot be asked of a store.
  case compilation(ExpressionCompilationError)
  /// The SQL is not the value of a row.
  case sql(SQLSnippetError)
  /// SQLite could not be asked.
  case other(CaughtError)

  /// Takes an error of compiling an expression or SQL.
  package init(_ error: any Error) {
    switch error {
    case let error as ExpressionTypeError: self = .type(error)
    case let error as ExpressionCompilationError: self = .compilation(error)
    case let error as SQLSnippetError: self = .sql(error)
    default: self = .other(CaughtError(error))
    }
  }
}

extension ExpressionError: CustomStringConvertible {
  /// The cause and what to do.
  public var description: String {
    switch self {
    case .type(let error): error.description
    case .compilation(let error): error.description
    case .sql(let error): error.description
    case .other(let caught): caught.description
    }
  }
}
