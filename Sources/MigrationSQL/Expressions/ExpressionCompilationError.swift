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
