public import MappingModels
public import ModelDescription
public import PersistentStores

/// The reason that the value of a mapping lacks SQL.
public enum ExpressionError: Error, Hashable, Sendable {
  /// The expression is not valid for the models.
  case type(ExpressionTypeError)
  /// The expression is valid, and SQLite cannot compute it.
  case compilation(ExpressionCompilationError)
  /// The SQL is not a value of a row.
  case sql(SQLSnippetError)
  /// Another error, such as an error of SQLite.
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

extension ExpressionError: AdvisedError {
  /// The part of the expression.
  public var place: String? { inner?.place }

  /// The cause as a sentence.
  public var cause: String {
    if case .other(let caught) = self { caught.description } else { inner?.cause ?? "" }
  }

  /// The text to write instead.
  public var advice: Advice? { inner?.advice }

  private var inner: (any AdvisedError)? {
    switch self {
    case .type(let error): error
    case .compilation(let error): error
    case .sql(let error): error
    case .other(let caught): caught.error as? any AdvisedError
    }
  }
}

/// The reason that a valid expression lacks SQL.
public enum ExpressionCompilationError: Error, Hashable, Sendable {
  /// The store lacks a column for a property.
  case notStored(property: String)
  /// An expression calls a policy, and its entity mapping names no policy class.
  case noPolicy(selector: String)
  /// A collection of source objects is needed, and the expression gives other values.
  case noCollection(expression: String)
  /// The SQL is nested too deeply for SQLite.
  case tooDeep(expression: String)
  /// An expression has more constants than a statement takes.
  case tooLong(expression: String, limit: Int)
}

extension ExpressionCompilationError: AdvisedError {
  /// The property or the part of the expression.
  public var place: String? {
    switch self {
    case .notStored(let text), .noCollection(let text), .tooDeep(let text), .tooLong(let text, _): text
    case .noPolicy: nil
    }
  }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .notStored: "the store does not keep its value"
    case .noPolicy(let selector):
      "$entityPolicy gets the message \(selector), but the entity mapping names no policy class"
    case .noCollection: "this is not a collection of source objects"
    case .tooDeep: "expressions are nested too deeply for SQLite"
    case .tooLong(_, let limit): "the expression has more than \(limit) constants"
    }
  }

  /// The text to write instead.
  public var advice: Advice? {
    switch self {
    case .notStored, .noCollection: nil
    case .noPolicy: "add a policy class to the entity mapping"
    case .tooDeep, .tooLong: "split the expression"
    }
  }
}
