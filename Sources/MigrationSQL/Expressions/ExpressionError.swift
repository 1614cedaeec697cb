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

/// Why a sound expression has no SQL.
public enum ExpressionCompilationError: Error, Hashable, Sendable {
  /// The store has no column for a property.
  case notStored(property: String)
  /// An expression asks a policy, and its entity mapping names none.
  case noPolicy(selector: String)
  /// A collection stands where there is none to be made.
  case noCollection(expression: String)
  /// SQLite does not read SQL of such depth.
  case tooDeep(expression: String)
  /// An expression holds more constants than a statement takes.
  case tooLong(expression: String, limit: Int)
}

extension ExpressionCompilationError: CustomStringConvertible {
  /// The cause in words.
  public var description: String {
    switch self {
    case .notStored(let property): "\(property): the store keeps no value of it"
    case .noPolicy(let selector):
      "$entityPolicy is asked for \(selector), and the entity mapping names no policy class; add one to the mapping"
    case .noCollection(let expression): "\(expression): this is no collection of source objects"
    case .tooDeep(let expression):
      "\(expression): expressions stand in one another deeper than SQLite reads; split the expression"
    case .tooLong(let expression, let limit):
      "\(expression): it holds more than \(limit) constants; split the expression"
    }
  }
}
